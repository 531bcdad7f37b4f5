package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.ipmasq.agent.Profiles;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Ruleset;

/**
 * A folder of {@code cases/rules}: {@code config.yaml} and perhaps its twin {@code config.json}; {@code profile} with a
 * name or {@code profile.yaml}, else cce; {@code v4.save} and {@code v6.save} for iptables, {@code v4.nft} and
 * {@code v6.nft} for nftables, where a missing one means no rules.
 */
public record RuleCase(Path folder) {
    private static final List<String> CONFIGS = List.of("config.yaml", "config.json");
    private static final Set<String> KNOWN =
            Set.of("config.yaml", "config.json", "profile", "profile.yaml", "v4.save", "v6.save", "v4.nft", "v6.nft");

    public static List<RuleCase> all() throws IOException, URISyntaxException {
        Path root = Path.of(RuleCase.class.getResource("/cases/rules").toURI());
        try (Stream<Path> folders = Files.list(root)) {
            return folders.sorted().map(RuleCase::new).toList();
        }
    }

    public String name() {
        return folder.getFileName().toString();
    }

    /** Every file has a use, and none that is needed is missing. */
    void demandKnownFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("files of %s", name())
                    .isSubsetOf(KNOWN)
                    .contains("config.yaml", "v4.save", "v4.nft")
                    .satisfies(names -> assertThat(names.contains("profile") && names.contains("profile.yaml"))
                            .as("two profiles")
                            .isFalse())
                    .satisfies(names -> assertThat(names.contains("v6.save"))
                            .as("both backends have IPv6 rules, or none")
                            .isEqualTo(names.contains("v6.nft")));
        }
    }

    private ProviderProfile profile() throws IOException {
        Path named = folder.resolve("profile");
        Path own = folder.resolve("profile.yaml");
        if (Files.exists(own)) {
            return Profiles.named(own.toString());
        }
        return Profiles.named(Files.exists(named) ? Files.readString(named).strip() : "cce");
    }

    /** What each configuration text of the folder compiles to. */
    public List<Ruleset> rulesets() throws IOException {
        String chain = profile().chain().value();
        return policies().stream().map(policy -> Ruleset.of(policy, chain)).toList();
    }

    /** What each configuration text of the folder means. */
    public List<MasqPolicy> policies() throws IOException {
        ProviderProfile profile = profile();
        Set<IpFamily> managed =
                profile.ipv6().value() == Ipv6Mode.OFF ? EnumSet.of(IpFamily.IPV4) : EnumSet.allOf(IpFamily.class);
        List<MasqPolicy> policies = new ArrayList<>();
        for (String file : CONFIGS) {
            if (Files.exists(folder.resolve(file))) {
                byte[] text = Files.readAllBytes(folder.resolve(file));
                ConfigOutcome outcome = ConfigJudge.judge(ConfigReader.read(text), profile);
                assertThat(outcome).as(file).isInstanceOf(ConfigOutcome.Loaded.class);
                policies.add(
                        MasqPolicy.of(EffectiveConfig.of(((ConfigOutcome.Loaded) outcome).config(), profile), managed));
            }
        }
        return policies;
    }

    /** The lines that the kernel must show. */
    List<String> expected(IpFamily family) throws IOException {
        return lines(family == IpFamily.IPV4 ? "v4.save" : "v6.save");
    }

    /** The objects of nft's listing, each on a line of JSON without its handle. */
    public List<String> expectedNft(IpFamily family) throws IOException {
        return lines(family == IpFamily.IPV4 ? "v4.nft" : "v6.nft");
    }

    private List<String> lines(String name) throws IOException {
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
