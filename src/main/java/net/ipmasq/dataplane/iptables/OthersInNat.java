package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.OthersRule;
import net.ipmasq.net.IpFamily;

/** Looks for a rule of somebody else in the nat table of one variant and family. */
final class OthersInNat {
    private static final int MOST_SHOWN = 1_024;

    private OthersRule found = OthersRule.NONE;

    private OthersInNat() {}

    static OthersRule look(Tools tools, IpFamily family, Variant place) {
        Streamed<OthersRule> read = tools.save(family, place, "nat", false, OthersInNat::read);
        return Failures.of(read.outcome(), family, tools.program(family, place, "-save"))
                .map(Failure::message)
                .map(OthersRule::unknown)
                .or(read::value)
                .orElse(OthersRule.NONE);
    }

    private static OthersRule read(Reader save) throws IOException {
        OthersInNat look = new OthersInNat();
        Optional<String> tooLong = SaveLines.read(save, look::line);
        return tooLong.map(OthersRule::unknown).orElse(look.found);
    }

    private void line(String line) {
        if (SaveText.isIncompatible(line)) {
            found = OthersRule.closed("table nat holds native nft rules");
        } else if (found.equals(OthersRule.NONE) && line.startsWith("-A ") && !line.contains("\"ip-masq-agent: ")) {
            found = OthersRule.found(line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "..." : line);
        }
    }
}
