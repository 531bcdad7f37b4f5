package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.ForeignRuleProbe;
import net.ipmasq.net.IpFamily;

/** Looks for a rule of others in the nat table of one variant and family. */
final class ForeignNatRules {
    private static final int MOST_SHOWN = 1_024;

    private ForeignRuleProbe found = ForeignRuleProbe.NONE;

    private ForeignNatRules() {}

    static ForeignRuleProbe look(IptablesTools tools, IpFamily family, Variant place) {
        Streamed<ForeignRuleProbe> read = tools.save(family, place, "nat", false, ForeignNatRules::read);
        return IptablesFailures.of(read.outcome(), family, tools.program(family, place, "-save"))
                .map(Failure::message)
                .map(ForeignRuleProbe::unknown)
                .or(read::value)
                .orElse(ForeignRuleProbe.NONE);
    }

    private static ForeignRuleProbe read(Reader save) throws IOException {
        ForeignNatRules look = new ForeignNatRules();
        Optional<String> tooLong = SaveLines.read(save, look::line);
        return tooLong.map(ForeignRuleProbe::unknown).orElse(look.found);
    }

    private void line(String line) {
        if (SaveText.isIncompatible(line)) {
            found = ForeignRuleProbe.closed("table nat holds native nft rules");
        } else if (found.equals(ForeignRuleProbe.NONE)
                && line.startsWith("-A ")
                && !line.contains("\"ip-masq-agent: ")) {
            found = ForeignRuleProbe.found(line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "..." : line);
        }
    }
}
