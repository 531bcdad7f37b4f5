package net.ipmasq.dataplane.iptables;

import java.util.Optional;
import java.util.OptionalInt;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.PortShare;
import net.ipmasq.rules.Rule.Transport;

/** What a rule of our chain means, in the records that the renderer writes from. */
final class RuleInterpreter {
    private RuleInterpreter() {}

    /** The rule that we would have written; the comment tells {@code -d 0.0.0.0/0} from no destination. */
    static Optional<Rule> exact(RuleSpec spec, IpFamily family) {
        if (spec.notLocalDestination) {
            return Optional.empty();
        }
        Optional<Rule> meaning = of(spec, family);
        boolean everywhere = meaning.equals(Optional.of(new Rule.MasqueradeRest(Optional.empty(), spec.randomFully)));
        if (everywhere && IptablesNames.MASQUERADE_TO.equals(spec.comment)) {
            return Optional.of(new Rule.MasqueradeTo(family.everything(), spec.randomFully));
        }
        return meaning.filter(rule -> IptablesNames.comment(rule).equals(spec.comment));
    }

    /** The rule that does the same; a jump that skips LOCAL destinations makes the same match on a rule redundant. */
    static Optional<Rule> of(RuleSpec spec, IpFamily family) {
        if (!spec.others.isEmpty() || spec.isGoto || spec.jump == null) {
            return Optional.empty();
        }
        boolean plain = spec.protocol == null && spec.probability == null && spec.toPorts == null;
        Optional<Cidr> destination = spec.destination == null ? Optional.empty() : cidr(spec.destination, family);
        if (spec.destination != null && destination.isEmpty()) {
            return Optional.empty();
        }
        if (spec.jump.equals("RETURN") && plain && !spec.randomFully) {
            return Optional.of(new Rule.Exempt(destination.orElse(family.everything())));
        }
        if (!spec.jump.equals("MASQUERADE")) {
            return Optional.empty();
        }
        if (plain) {
            return Optional.of(
                    destination.isPresent()
                            ? new Rule.MasqueradeTo(destination.get(), spec.randomFully)
                            : new Rule.MasqueradeRest(Optional.empty(), spec.randomFully));
        }
        return destination.isPresent() ? Optional.empty() : share(spec);
    }

    private static Optional<Rule> share(RuleSpec spec) {
        Optional<Transport> transport = spec.protocol == null ? Optional.empty() : Transport.of(spec.protocol);
        if (transport.isEmpty() || spec.toPorts == null) {
            return Optional.empty();
        }
        try {
            PortShare share = new PortShare(transport.get(), probability(spec.probability), PortRange.of(spec.toPorts));
            return Optional.of(new Rule.MasqueradeRest(Optional.of(share), spec.randomFully));
        } catch (IllegalArgumentException e) {
            // a range or probability that we never write: not our rule
            return Optional.empty();
        }
    }

    private static OptionalInt probability(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return OptionalInt.empty();
        }
        double units = Double.parseDouble(text) * 0x8000_0000L;
        if (!(units >= 0 && units < 0x8000_0000L)) {
            throw new IllegalArgumentException("not a probability: " + text);
        }
        return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, Math.round(units)));
    }

    private static Optional<Cidr> cidr(String text, IpFamily family) {
        // the tools leave out a full-length prefix only in listings, not in saves; both are read
        String full = text.indexOf('/') < 0 ? text + "/" + family.bits() : text;
        return CidrSyntax.parse(full) instanceof CidrSyntax.Good(Cidr cidr) && cidr.family() == family
                ? Optional.of(cidr)
                : Optional.empty();
    }
}
