package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void nobodyListensOnItUntilAServerOfTheTestDoes() throws IOException {
        try (FreePort port = FreePort.reserve();
                ServerSocket server = new ServerSocket()) {
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port.number()))
                    .isInstanceOf(ConnectException.class);
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number()));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
                assertThat(client.isConnected()).isTrue();
            }
        }
    }

    @Test
    void twoAreNeverTheSame() {
        try (FreePort one = FreePort.reserve();
                FreePort two = FreePort.reserve()) {
            assertThat(one.number()).isNotEqualTo(two.number());
        }
    }
}
