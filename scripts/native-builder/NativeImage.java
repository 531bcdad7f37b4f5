import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command {@code native-image} of a builder that {@code assemble.sh} puts together: turns its arguments, and what the
 * jars of the class path say about native images, into one call of the image generator. Knows the options that Quarkus
 * and the jars of this product use, and refuses others by name.
 */
final class NativeImage {
    private static final String GENERATOR =
            "org.graalvm.nativeimage.builder/com.oracle.svm.hosted.NativeImageGeneratorRunner";
    private static final String IN_JARS = "META-INF/native-image/";

    /** Options of the command by their names, and those of the generator that they stand for. */
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("--features", "Features"),
            Map.entry("--enable-url-protocols", "EnableURLProtocols"),
            Map.entry("--enable-monitoring", "EnableMonitoringFeatures"),
            Map.entry("--trace-class-initialization", "TraceClassInitialization"),
            Map.entry("--trace-object-instantiation", "TraceObjectInstantiation"),
            Map.entry("--parallelism", "NumberOfThreads"),
            Map.entry("--libc", "UseLibC"),
            Map.entry("--target", "TargetPlatform"),
            Map.entry("--enable-native-access", "EnableNativeAccess"),
            Map.entry("--native-compiler-options", "CCompilerOption"),
            Map.entry("--native-compiler-path", "CCompilerPath"),
            Map.entry("--gc", "SupportedGCs"),
            Map.entry("-march", "MicroArchitecture"));

    private static final Map<String, List<String>> FIXED = Map.of(
            "--no-fallback", List.of("-H:FallbackThreshold=0"),
            "--link-at-build-time", List.of("-H:LinkAtBuildTime="),
            "--install-exit-handlers", List.of("-H:+InstallExitHandlers"),
            "--enable-http", List.of("-H:EnableURLProtocols=http"),
            "--enable-https", List.of("-H:EnableURLProtocols=https"),
            "--enable-all-security-services", List.of("-H:+EnableAllSecurityServices"),
            "--allow-incomplete-classpath", List.of("-H:+AllowIncompleteClasspath"),
            "--report-unsupported-elements-at-runtime", List.of("-H:+ReportUnsupportedElementsAtRuntime"),
            "--strict-image-heap", List.of("-H:+StrictImageHeap"),
            "--silent", List.of("-H:+BuildOutputSilent"));

    /** Files of a jar's folder, and the options of the generator that read them. */
    private static final Map<String, String> METADATA = Map.of(
            "reachability-metadata.json", "ReachabilityMetadataResources",
            "reflect-config.json", "ReflectionConfigurationResources",
            "resource-config.json", "ResourceConfigurationResources",
            "jni-config.json", "JNIConfigurationResources",
            "proxy-config.json", "DynamicProxyConfigurationResources",
            "serialization-config.json", "SerializationConfigurationResources");

    /** A jar's name and a file's path in it, both patterns: that file is not read. */
    private record Exclusion(Pattern jar, Pattern resource) {
        boolean matches(Path path, String name) {
            return jar.matcher(path.getFileName().toString()).find()
                    && resource.matcher("/" + name).find();
        }
    }

    private static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    private final Path home;
    private final List<String> java = new ArrayList<>();
    private final List<String> generator = new ArrayList<>();
    private final List<Exclusion> exclusions = new ArrayList<>();
    private final Set<Path> classPath = new LinkedHashSet<>();
    private String mainClass = "";
    private String imageName = "";

    private NativeImage(Path home) {
        this.home = home;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        NativeImage command = new NativeImage(Path.of(System.getProperty("java.home")));
        if (List.of(args).contains("--version")) {
            command.version();
            return;
        }
        try {
            command.read(List.of(args));
            command.readJars();
            System.exit(command.generate());
        } catch (UsageException e) {
            System.err.println("native-image: " + e.getMessage());
            System.exit(2);
        }
    }

    /** Three lines in the form that Quarkus reads: the version of the JDK, the builder, the virtual machine. */
    private void version() throws IOException {
        Runtime.Version jdk = Runtime.version();
        String build = "(build " + jdk.feature() + "." + jdk.interim() + "." + jdk.update() + "+"
                + jdk.build().orElse(1);
        System.out.println("native-image " + release() + " " + System.getProperty("java.version.date"));
        System.out.println("GraalVM Runtime Environment " + vendor() + " " + build + "-jvmci-b01)");
        System.out.println("Substrate VM " + vendor() + " " + build + ", serial gc)");
    }

    private String vendor() throws IOException {
        return "GraalVM CE " + release() + "+" + Runtime.version().build().orElse(1) + ".1";
    }

    private String release() throws IOException {
        return Files.readString(home.resolve("lib/svm/builder/version")).strip();
    }

    private void read(List<String> args) throws IOException, UsageException {
        Deque<String> rest = new ArrayDeque<>(args);
        while (!rest.isEmpty()) {
            String arg = rest.poll();
            switch (arg) {
                case "-cp", "-classpath", "--class-path" -> addToClassPath(value(arg, rest));
                case "-jar" -> addJar(Path.of(value(arg, rest)));
                case "-o" -> imageName = value(arg, rest);
                case "--exclude-config" ->
                    exclusions.add(new Exclusion(pattern(value(arg, rest)), pattern(value(arg, rest))));
                case "-g" -> generator.add("-H:GenerateDebugInfo=2");
                default -> {
                    if (arg.startsWith("-")) {
                        option(arg, rest);
                    } else if (mainClass.isEmpty()) {
                        mainClass = arg;
                    } else {
                        imageName = arg;
                    }
                }
            }
        }
        if (classPath.isEmpty()) {
            throw new UsageException("no class path: give -cp PATH or -jar FILE");
        }
    }

    private static String value(String option, Deque<String> rest) throws UsageException {
        if (rest.isEmpty()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.poll();
    }

    /** Files of arguments, where a shell reads them, have each backslash twice. */
    private static Pattern pattern(String text) {
        return Pattern.compile(text.replace("\\\\", "\\"));
    }

    private void option(String arg, Deque<String> rest) throws UsageException {
        int equals = arg.indexOf('=');
        String name = equals < 0 ? arg : arg.substring(0, equals);
        String value = equals < 0 ? "" : arg.substring(equals + 1);
        if (arg.startsWith("-J")) {
            java.add(arg.substring(2));
        } else if (arg.startsWith("-D")) {
            java.add(arg);
        } else if (arg.startsWith("-H:") || arg.startsWith("-R:")) {
            generator.add(arg);
        } else if (arg.startsWith("-O")) {
            generator.add("-H:Optimize=" + arg.substring(2));
        } else if (FIXED.containsKey(arg)) {
            generator.addAll(FIXED.get(arg));
        } else if (name.equals("--link-at-build-time")) {
            generator.add("-H:LinkAtBuildTime=" + value);
        } else if (name.equals("--initialize-at-build-time") || name.equals("--initialize-at-run-time")) {
            String when = name.endsWith("build-time") ? "build_time" : "run_time";
            generator.add("-H:ClassInitialization=" + initialization(value, when));
        } else if (List.of("--add-exports", "--add-opens", "--add-reads").contains(name)) {
            String text = equals < 0 ? value(arg, rest) : value;
            java.add(name + "=" + text);
        } else if (VALUES.containsKey(name)) {
            generator.add("-H:" + VALUES.get(name) + "=" + (equals < 0 ? value(arg, rest) : value));
        } else {
            throw new UsageException("unknown option " + arg + "; this builder knows the options that Quarkus gives, see"
                    + " NativeImage.java, and GraalVM's or Mandrel's native-image knows all");
        }
    }

    private static String initialization(String names, String when) {
        return names.isEmpty()
                ? ":" + when
                : Arrays.stream(names.split(",")).map(name -> name + ":" + when).collect(Collectors.joining(","));
    }

    private void addToClassPath(String path) throws IOException {
        for (String entry : path.split(File.pathSeparator)) {
            add(Path.of(entry));
        }
    }

    private void addJar(Path jar) throws IOException, UsageException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes manifest = file.getManifest().getMainAttributes();
            mainClass = manifest.getValue(Attributes.Name.MAIN_CLASS);
            open("--add-opens", manifest.getValue("Add-Opens"));
            open("--add-exports", manifest.getValue("Add-Exports"));
        }
        if (mainClass == null) {
            throw new UsageException(jar + " names no main class in its manifest");
        }
        if (imageName.isEmpty()) {
            imageName = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        }
        add(jar);
    }

    /** A jar that is started by {@code -jar} opens packages by its manifest; here it is on a class path only. */
    private void open(String option, String packages) {
        if (packages != null) {
            Arrays.stream(packages.strip().split("\\s+")).forEach(name -> java.add(option + "=" + name + "=ALL-UNNAMED"));
        }
    }

    private void add(Path entry) throws IOException {
        Path path = entry.toAbsolutePath().normalize();
        if (!Files.exists(path) || !classPath.add(path) || Files.isDirectory(path)) {
            return;
        }
        try (JarFile file = new JarFile(path.toFile())) {
            String others = file.getManifest() == null
                    ? null
                    : file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String other : others == null ? new String[0] : others.strip().split("\\s+")) {
                add(path.resolveSibling(other));
            }
        }
    }

    private void readJars() throws IOException, UsageException {
        for (Path path : List.copyOf(classPath)) {
            if (!Files.isDirectory(path)) {
                readJar(path);
            }
        }
    }

    private void readJar(Path path) throws IOException, UsageException {
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                String file = name.substring(name.lastIndexOf('/') + 1);
                if (!name.startsWith(IN_JARS)
                        || exclusions.stream().anyMatch(exclusion -> exclusion.matches(path, name))) {
                    continue;
                }
                if (METADATA.containsKey(file)) {
                    generator.add("-H:" + METADATA.get(file) + "=" + name);
                } else if (file.equals("native-image.properties")) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        readProperties(in, name);
                    }
                }
            }
        }
    }

    private void readProperties(InputStream in, String name) throws IOException, UsageException {
        Properties properties = new Properties();
        properties.load(in);
        String folder = name.substring(0, name.lastIndexOf('/'));
        for (String arg : words(properties.getProperty("JavaArgs", ""))) {
            java.add(arg);
        }
        Deque<String> rest = new ArrayDeque<>(words(properties.getProperty("Args", "")));
        while (!rest.isEmpty()) {
            option(rest.poll().replace("${.}", folder), rest);
        }
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
    }

    private int generate() throws IOException, InterruptedException {
        Path folder = Path.of("").toAbsolutePath();
        Path arguments = Files.createTempFile("native-image", ".args");
        try {
            List<String> lines = new ArrayList<>();
            lines.addAll(virtualMachine());
            lines.addAll(java);
            lines.addAll(List.of("--module", GENERATOR));
            lines.add("-imagecp");
            lines.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
            lines.add("-H:+UnlockExperimentalVMOptions");
            lines.add("-H:Path=" + folder);
            lines.add("-H:Name=" + imageName);
            lines.add("-H:Class=" + mainClass);
            // the seed of the image's unordered collections: the same sources and options give the same image
            lines.add("-H:ImageBuildID=" + UUID.nameUUIDFromBytes(String.join("\n", generator).getBytes(UTF_8)));
            lines.add("-H:CLibraryPath=" + home.resolve("lib/svm/clibraries"));
            // needs C code that is not published; ADR 0019
            lines.add("-H:-UseContainerSupport");
            lines.addAll(perValue(generator));
            // beside the image: the JDK's libraries
            lines.add("-H:NativeLinkerOption=-Wl,-rpath,$ORIGIN");
            Files.write(arguments, lines.stream().map(NativeImage::quoted).toList());
            int code = new ProcessBuilder(home.resolve("bin/java").toString(), "@" + arguments)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code == 0) {
                copyLibraries(folder);
            }
            return code;
        } finally {
            Files.deleteIfExists(arguments);
        }
    }

    private static List<String> perValue(List<String> options) {
        return options.stream()
                .filter(option -> !option.equals("-H:-UnlockExperimentalVMOptions"))
                .toList();
    }

    private static String quoted(String argument) {
        return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private void copyLibraries(Path folder) throws IOException {
        try (Stream<Path> libraries = Files.list(home.resolve("lib/svm/runtime"))) {
            for (Path library : (Iterable<Path>) libraries::iterator) {
                Files.copy(
                        library,
                        folder.resolve(library.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** The flags that the generator itself runs with. */
    private List<String> virtualMachine() throws IOException {
        Path builder = home.resolve("lib/svm/builder");
        List<String> flags = new ArrayList<>(List.of(
                "-XX:+UseParallelGC",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+EnableJVMCI",
                "-XX:-UseJVMCICompiler",
                "-XX:-UsePerfData",
                "-Xss10m",
                "-Duser.language=en",
                "-Duser.country=US",
                "-Djava.awt.headless=true",
                "-Djava.system.class.loader=com.oracle.svm.hosted.NativeImageSystemClassLoader",
                "-Djdk.internal.lambda.disableEagerInitialization=true",
                "-Dcom.oracle.graalvm.isaot=true",
                "-Dorg.graalvm.nativeimage.imagecode=buildtime",
                "-Dorg.graalvm.nativeimage.kind=executable",
                "-Dorg.graalvm.version=" + release(),
                "-Dorg.graalvm.vendorversion=" + vendor(),
                "-Dsubstratevm.HostLibC=glibc",
                "-Dsubstratevm.IgnoreGraalVersionCheck=true",
                "--upgrade-module-path=" + builder.resolve("upgrade"),
                "--module-path=" + builder,
                "--add-modules=ALL-DEFAULT"));
        Set<String> modules = names(ModuleFinder.of(builder, builder.resolve("upgrade")));
        flags.add("--enable-native-access=" + String.join(",", modules));
        flags.addAll(openings(String.join(",", modules)));
        return flags;
    }

    private static Set<String> names(ModuleFinder finder) {
        return finder.findAll().stream()
                .map(module -> module.descriptor().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The generator looks into every package of the JDK's modules that it resolves. */
    private static List<String> openings(String readers) {
        Set<String> resolved = ModuleLayer.boot().modules().stream().map(Module::getName).collect(Collectors.toSet());
        resolved.add("jdk.internal.vm.ci"); // there as soon as its flag is
        return ModuleFinder.ofSystem().findAll().stream()
                .map(ModuleReference::descriptor)
                .filter(module -> resolved.contains(module.name()))
                .flatMap(module -> module.packages().stream().map(name -> module.name() + "/" + name))
                .sorted()
                .map(name -> "--add-opens=" + name + "=" + readers)
                .toList();
    }
}
