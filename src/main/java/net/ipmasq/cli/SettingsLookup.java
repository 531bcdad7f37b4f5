package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import net.ipmasq.text.FileProblem;
import org.jspecify.annotations.Nullable;

/**
 * Finds the text of a setting where Quarkus would find it too: flags, system properties, the environment, and
 * {@code config/application.properties} in the working directory; without booting Quarkus.
 */
public final class SettingsLookup implements Function<String, Optional<String>> {
    private final Map<String, String> flags;
    private final Map<String, String> environment;
    private final Properties file;

    /**
     * @param flags by setting name; only those that were given
     */
    public SettingsLookup(Map<String, String> flags, Map<String, String> environment) {
        this.flags = flags;
        this.environment = environment;
        this.file = file(Path.of("config", "application.properties"));
    }

    private static Properties file(Path path) {
        Properties properties = new Properties();
        try (InputStream stream = Files.newInputStream(path)) {
            properties.load(stream);
        } catch (NoSuchFileException e) {
            return properties;
        } catch (IllegalArgumentException e) {
            throw new UsageException(path + " cannot be read: " + e.getMessage());
        } catch (IOException e) {
            throw new UsageException(path + " cannot be read: " + FileProblem.why(e));
        }
        return properties;
    }

    @Override
    public Optional<String> apply(String name) {
        String property = "ip-masq." + name;
        return given(flags.get(name))
                .or(() -> given(System.getProperty(property)))
                .or(() -> given(environment.get(Settings.environmentName(name))))
                .or(() -> given(file.getProperty(property)));
    }

    /** A manifest or a script often gives an empty value where it means no value. */
    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(value -> !value.isBlank());
    }
}
