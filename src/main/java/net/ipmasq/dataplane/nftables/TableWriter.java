package net.ipmasq.dataplane.nftables;

import java.nio.charset.StandardCharsets;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.nftables.TableReader.NoTable;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.SetForm;

/** Writes our table with {@code nft}, from what it was read to hold. */
final class TableWriter {
    private final NftTool tool;

    TableWriter(NftTool tool) {
        this.tool = tool;
    }

    /** Makes the table hold these rules, in one transaction. */
    ApplyOutcome apply(FamilyRules desired, IpFamily family, TableReader.Reading reading) {
        return switch (reading) {
            case TableReader.Broken(Failure failure) -> new ApplyOutcome.Failed(failure);
            case NoTable no -> write(desired.chain(), NftRenderer.render(desired, family));
            case TableReader.Table(TableView table) -> {
                ApplyOutcome edited = edit(desired, family, table);
                // somebody may have changed the table meanwhile; writing all of it works whatever it holds
                yield edited instanceof ApplyOutcome.Applied ? edited : rewrite(desired, family, table);
            }
        };
    }

    private ApplyOutcome edit(FamilyRules desired, IpFamily family, TableView table) {
        SetForm wanted = desired.setForm();
        SetForm held = table.form().filter(form -> form.hasShapeOf(wanted)).orElse(null);
        return held == null || table.canonicalJump().isEmpty()
                ? new ApplyOutcome.Unchanged()
                : write(
                        desired.chain(),
                        NftRenderer.edit(
                                desired, family, held, table.canonicalJump().getAsLong()));
    }

    private ApplyOutcome rewrite(FamilyRules desired, IpFamily family, TableView table) {
        if (!table.strangers()) {
            return write(desired.chain(), NftRenderer.render(desired, family));
        }
        return table.usableBase()
                ? write(desired.chain(), NftRenderer.inPlace(desired, family, table))
                : new ApplyOutcome.Failed(new Failure(
                        FailureCode.REJECTED,
                        "the table " + NftNames.table(family) + " holds rules of somebody else, and its chain "
                                + NftNames.BASE + " is not hooked to nat postrouting as ours is",
                        "move those rules to a table of their own, then delete the table"));
    }

    private ApplyOutcome write(String chain, String payload) {
        return NftTool.failure(tool.write(payload))
                .map(failure -> failure.message().contains("syntax error") ? badName(chain, failure) : failure)
                .<ApplyOutcome>map(ApplyOutcome.Failed::new)
                .orElseGet(() -> new ApplyOutcome.Applied(payload.getBytes(StandardCharsets.UTF_8).length));
    }

    /** What we write is well-formed, unless the name of the chain means something else to nft. */
    private static Failure badName(String chain, Failure failure) {
        return new Failure(
                failure.code(),
                "nft cannot take the chain name " + chain + ": it is a word of nft's own, or begins with a digit",
                "give the chain another name (masqChain of the profile, or --masq-chain), or use --backend iptables");
    }

    ApplyOutcome remove(IpFamily family, String chain, TableReader.Reading reading) {
        return switch (reading) {
            case TableReader.Broken(Failure failure) -> new ApplyOutcome.Failed(failure);
            case NoTable no -> new ApplyOutcome.Unchanged();
            case TableReader.Table(TableView table) -> remove(family, chain, table);
        };
    }

    private ApplyOutcome remove(IpFamily family, String chain, TableView table) {
        String payload = NftRenderer.removal(chain, family, table);
        boolean emptied = table.referred()
                && table.chain().lines().isEmpty()
                && table.canonicalJump().isEmpty()
                && table.surplusJumps().isEmpty();
        ApplyOutcome outcome = emptied || payload.isEmpty() ? new ApplyOutcome.Unchanged() : write(chain, payload);
        if (!(outcome instanceof ApplyOutcome.Failed) && table.referred()) {
            return new ApplyOutcome.Failed(
                    Failure.chainStays(chain, table.chain().othersRules().getFirst()));
        }
        return outcome;
    }
}
