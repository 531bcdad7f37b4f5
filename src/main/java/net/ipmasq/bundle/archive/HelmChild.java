package net.ipmasq.bundle.archive;

import com.marcnuri.helm.Helm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/**
 * Helm's engine as a process: a line of chart, release, namespace and file of values in Base64 on standard input, a line with
 * {@code ok} or {@code no} and a text in Base64 on standard output.
 */
final class HelmChild {
    private HelmChild() {}

    public static void main(String[] args) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            String[] words = line.split(" ");
            try {
                String text = new Helm(Path.of(decoded(words[0])))
                        .template()
                        .withName(decoded(words[1]))
                        .withNamespace(decoded(words[2]))
                        .withValuesFile(Path.of(decoded(words[3])))
                        .call();
                answers.println("ok " + encoded(text));
            } catch (IllegalStateException e) {
                answers.println("no " + encoded(String.valueOf(e.getMessage())));
            }
        }
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String decoded(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
