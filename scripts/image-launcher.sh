#!/usr/bin/dash
# The agent's name inside its image: starts the agent, or one of its commands beside a running agent, as people do who
# 'kubectl exec'. All processes of a pod share one limit of memory. When it is used up, the kernel must end the command that
# somebody has just typed, and not the agent: a command raises its own OOM score before it takes any memory, and takes little.
home=/opt/ip-masq-agent

agent() {
  exec /opt/jre/bin/java "@$home/java.arguments" "$@"
}

command() {
  # raising it needs no right; where /proc is not writable, the command still works
  { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
  exec /opt/jre/bin/java "@$home/command.arguments" "$@"
}

# A single pass, and texts about run, are commands.
case " $* " in
  *' --once '* | *' -h '* | *' --help '* | *' -V '* | *' --version '*) command "$@" ;;
esac
case ${1:-} in
  run | -*) agent "$@" ;;
  # no argument: by its own path a person calls it, and gets help; the other names are those of the Go agents' images
  '') case $0 in "$home"/*) command ;; *) agent run ;; esac ;;
  *) command "$@" ;;
esac
