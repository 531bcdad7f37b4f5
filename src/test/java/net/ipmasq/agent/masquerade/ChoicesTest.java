package net.ipmasq.agent.masquerade;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.net.IpAddress;
import net.ipmasq.netlink.AddressLabel;
import net.ipmasq.netlink.DeviceAddress;
import net.ipmasq.netlink.Link;
import org.junit.jupiter.api.Test;

/** Kinds of addresses and devices that a test with packets cannot have everywhere. */
class ChoicesTest {
    private static final int OUT = 2;
    private static final int OTHER = 3;
    private static final int TEMPORARY = 0x01;
    private static final int OPTIMISTIC = 0x04;
    private static final int DAD_FAILED = 0x08;
    private static final int HOME = 0x10;
    private static final int DEPRECATED = 0x20;
    private static final int TENTATIVE = 0x40;

    private final List<DeviceAddress> addresses = new ArrayList<>();
    private boolean preferTemporary;

    private static InetAddress inet(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private void has(int device, String address, int prefix, int flags) {
        InetAddress own = inet(address);
        addresses.add(new DeviceAddress(device, own, own, prefix, 0, flags, ""));
    }

    private Optional<String> chosen(String destination) {
        List<AddressLabel> labels =
                List.of(new AddressLabel(inet("::"), 0, 0, 1), new AddressLabel(inet("fc00::"), 7, 0, 5));
        return new Ipv6SourceSelection(labels, device -> preferTemporary)
                .choose(OUT, IpAddress.of(destination), addresses)
                .map(IpAddress::toString);
    }

    @Test
    void anAddressThatMayBeSomebodyElsesIsNoneYet() {
        has(OUT, "2001:db8::1", 64, TENTATIVE);
        assertThat(chosen("2001:db8:9::9")).isEmpty();
        has(OUT, "2001:db8::2", 64, TENTATIVE | DAD_FAILED);
        assertThat(chosen("2001:db8:9::9")).isEmpty();
        has(OUT, "2001:db8::3", 64, TENTATIVE | OPTIMISTIC);
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8::3");
        has(OTHER, "2001:db8::4", 64, 0);
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8::4");
    }

    @Test
    void temporaryOnesOnlyWhereTheyArePreferred() {
        has(OUT, "2001:db8::1", 64, TEMPORARY);
        has(OUT, "2001:db8::2", 64, 0);
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8::2");
        preferTemporary = true;
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8::1");
    }

    @Test
    void scopesCountBeforeAllElse() {
        has(OUT, "fe80::1", 64, 0);
        has(OTHER, "2001:db8::1", 64, DEPRECATED);
        has(OTHER, "fec0::1", 64, 0);
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8::1");
        assertThat(chosen("fec0::9")).contains("fec0::1");
        assertThat(chosen("fe80::9")).contains("fe80::1");
        assertThat(chosen("fec0::1")).contains("fec0::1");
    }

    @Test
    void homeAddressesCountBeforeTheDevice() {
        has(OUT, "2001:db8::1", 64, 0);
        has(OTHER, "2001:db8:7::1", 64, HOME);
        assertThat(chosen("2001:db8:9::9")).contains("2001:db8:7::1");
    }

    @Test
    void orchidsAreForOrchids() {
        has(OUT, "2001:10::1", 28, 0);
        has(OUT, "2001:db8::1", 64, 0);
        assertThat(chosen("2001:2f::9")).contains("2001:db8::1");
        assertThat(chosen("2001:1f::9")).contains("2001:10::1");
    }

    @Test
    void noMoreBitsCountThanTheSubnetHas() {
        has(OUT, "2001:db8:0:1::1", 40, 0);
        has(OUT, "2001:db8:0:2::1", 64, 0);
        assertThat(chosen("2001:db8:0:1::9")).contains("2001:db8:0:2::1");
        assertThat(chosen("2001:db8:ff::9")).as("equal, so the first").contains("2001:db8:0:1::1");
    }

    @Test
    void ofIpv4AddressesTheFirstPrimaryOneThatIsValidEverywhere() {
        InetAddress one = inet("198.19.2.10");
        addresses.add(new DeviceAddress(OUT, one, one, 24, 253, 0, "out"));
        assertThat(v4("198.19.2.1")).isEmpty();
        addresses.add(new DeviceAddress(OUT, inet("198.19.2.11"), one, 24, 0, TEMPORARY, "out"));
        assertThat(v4("198.19.2.1")).isEmpty();
        addresses.add(new DeviceAddress(OTHER, inet("198.19.7.1"), inet("198.19.7.1"), 24, 0, 0, "other"));
        assertThat(v4("198.19.2.1")).contains("198.19.7.1");
        addresses.add(new DeviceAddress(OUT, inet("198.19.8.1"), inet("198.19.9.1"), 32, 0, 0, "out"));
        assertThat(v4("198.19.2.1")).contains("198.19.8.1");
        addresses.add(new DeviceAddress(OUT, inet("198.19.2.12"), inet("198.19.2.12"), 24, 0, 0, "out"));
        assertThat(v4("198.19.2.1")).contains("198.19.2.12");
        assertThat(v4("198.19.9.1")).contains("198.19.8.1");
    }

    private Optional<String> v4(String nextHop) {
        return Ipv4SourceSelection.choose(OUT, IpAddress.of(nextHop), addresses).map(IpAddress::toString);
    }

    /** The VRF's own addresses come before those of its other devices, and no others count. */
    @Test
    void devicesOfAVrfCountForItsOwnOnly() {
        int vrf = 9;
        int inVrf = 4;
        for (int device : List.of(1, inVrf, OTHER, vrf, OUT)) {
            has(device, "198.19." + device + ".1", 24, 0);
        }
        Devices devices = new Devices(
                Map.of(
                        1,
                        new Link(1, "lo", 0),
                        OUT,
                        new Link(OUT, "out", vrf),
                        OTHER,
                        new Link(OTHER, "other", 0),
                        inVrf,
                        new Link(inVrf, "in", vrf),
                        vrf,
                        new Link(vrf, "vrf", vrf)),
                addresses,
                () -> List.of(inVrf, OTHER));
        assertThat(devices.candidates(OUT)).extracting(DeviceAddress::device).containsExactly(OUT, vrf, inVrf);
        assertThat(devices.candidates(vrf)).extracting(DeviceAddress::device).containsExactly(vrf, inVrf, OUT);
        assertThat(devices.candidates(OTHER)).extracting(DeviceAddress::device).containsExactly(OTHER, 1);
        has(7, "198.19.7.1", 24, 0);
        has(6, "198.19.6.1", 24, 0);
        assertThat(new Devices(Map.of(), addresses, () -> List.of(7)).candidates(OUT))
                .as("as the kernel lists them, then by number")
                .extracting(DeviceAddress::device)
                .containsExactly(OUT, 7, 1, OTHER, inVrf, 6, vrf);
        assertThat(devices.name(77)).isEqualTo("device 77");
    }
}
