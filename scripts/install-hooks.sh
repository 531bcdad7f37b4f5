#!/usr/bin/env bash
# Makes git check commit messages in this clone and in all its worktrees. ./dev setup runs it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! git rev-parse --git-dir >/dev/null 2>&1; then
  echo "hooks: this is no git repository, so there is no hook to install" >&2
  exit 0
fi
# relative: git looks for it in the worktree that a commit is made in
wanted=scripts/hooks
present=$(git config --get core.hooksPath || true)
case $present in
  "$wanted") ;;
  '') git config core.hooksPath "$wanted" ;;
  *)
    echo "hooks: core.hooksPath is set to $present already and stays; to use this project's hooks:" \
      "git config core.hooksPath $wanted" >&2
    ;;
esac
