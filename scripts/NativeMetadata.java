import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Narrows what a native image of the agent holds to what the agent uses. Quarkus registers every model class of the
 * Kubernetes client and every picocli command for reflection, the operator's too, and so an image would hold them all,
 * with what they lead to. What stays is found in the classes: commands and models that the agent's classes lead to, and the
 * models that those have as properties.
 *
 * <p>{@code java -cp 'DIR/lib/*' NativeMetadata.java DIR}, where DIR is {@code target/native-sources} as Quarkus writes
 * it: the runner's jar, and {@code lib/}. Changes both in place; says how much stayed.
 */
final class NativeMetadata {
    private static final String OURS = "net/ipmasq/";
    private static final String OPERATORS = "net.ipmasq.bundle.";
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";
    private static final String CONFIG = "META-INF/native-image/reflect-config.json";
    private static final String KINDS = "META-INF/services/io.fabric8.kubernetes.api.model.KubernetesResource";
    private static final Pattern DESCRIPTOR = Pattern.compile("L([a-zA-Z0-9_/$]+);");

    /** What the client itself reads and writes: kubeconfigs, options of requests, answers. */
    private static final List<String> OF_THE_CLIENT = List.of(
            "Config", "ListOptions", "DeleteOptions", "PatchOptions", "Status", "WatchEvent", "KubernetesList",
            "GenericKubernetesResource", "RootPaths");

    private final Path directory;
    private final Set<String> reached = new TreeSet<>();
    private final Set<String> models = new TreeSet<>();

    private NativeMetadata(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1 || !Files.isDirectory(Path.of(args[0]).resolve("lib"))) {
            System.err.println("usage: NativeMetadata DIR, as Quarkus makes it with -Dquarkus.native.sources-only=true");
            System.exit(2);
        }
        new NativeMetadata(Path.of(args[0])).run();
    }

    private void run() throws IOException {
        Path runner = only(directory, "*-runner.jar");
        try (FileSystem jar = FileSystems.newFileSystem(runner)) {
            reach(jar);
            OF_THE_CLIENT.forEach(name -> addModel(MODEL + name));
            for (String name : List.copyOf(models)) {
                addModel(name + "List"); // what a list or a watch of that kind answers with
            }
            narrow(jar.getPath(CONFIG));
        }
        try (Stream<Path> libraries = Files.list(directory.resolve("lib"))) {
            for (Path library : (Iterable<Path>) libraries.sorted()::iterator) {
                narrowKinds(library);
            }
        }
    }

    private static Path only(Path directory, String glob) throws IOException {
        try (var found = Files.newDirectoryStream(directory, glob)) {
            return found.iterator().next();
        }
    }

    /**
     * The classes of the agent, which its main class or the framework leads to; what these name of the operator's, directly
     * or through others; and the models that all these name.
     */
    private void reach(FileSystem jar) throws IOException {
        Deque<String> open = new ArrayDeque<>();
        try (Stream<Path> files = Files.walk(jar.getPath("/" + OURS))) {
            files.map(file -> file.toString().substring(1))
                    .filter(file -> file.endsWith(".class") && !file.startsWith(OPERATORS.replace('.', '/')))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .forEach(open::add);
        }
        while (!open.isEmpty()) {
            String name = open.poll();
            Path file = jar.getPath("/" + name + ".class");
            if (!reached.add(name.replace('/', '.')) || !Files.exists(file)) {
                continue;
            }
            for (String other : named(Files.readAllBytes(file))) {
                if (other.startsWith(OURS)) {
                    open.add(other);
                } else if (other.startsWith(MODEL.replace('.', '/'))) {
                    addModel(other.replace('/', '.'));
                }
            }
        }
    }

    /** Class names in a constant pool: those of instructions, and those in descriptors, annotations among them. */
    private static Set<String> named(byte[] bytes) {
        Set<String> names = new LinkedHashSet<>();
        for (PoolEntry entry : ClassFile.of().parse(bytes).constantPool()) {
            if (entry instanceof ClassEntry type) {
                names.add(type.asInternalName());
            } else if (entry instanceof Utf8Entry text && text.stringValue().indexOf(';') > 0) {
                Matcher matcher = DESCRIPTOR.matcher(text.stringValue());
                while (matcher.find()) {
                    names.add(matcher.group(1));
                }
            }
        }
        return names;
    }

    /** A model class and, through its fields, all that it is made of. Builders are called, never reflected on. */
    private void addModel(String name) {
        if (!name.startsWith(MODEL) || name.endsWith("Builder") || name.contains("Fluent")) {
            return;
        }
        try {
            addModel(Class.forName(name, false, NativeMetadata.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            // a list of a kind that has none
        }
    }

    private void addModel(Class<?> type) {
        if (!type.getName().startsWith(MODEL) || !models.add(outer(type.getName()))) {
            return;
        }
        Class<?> top = type;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        for (Class<?> at = top; at != null && at.getName().startsWith(MODEL); at = at.getSuperclass()) {
            models.add(at.getName());
            addNamedBy(at);
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    addTypes(field.getGenericType());
                    addNamedBy(field);
                }
            }
            for (Method method : at.getDeclaredMethods()) {
                addNamedBy(method);
            }
        }
    }

    /** Classes that annotations name, such as those that write a value of a kind of its own. */
    private void addNamedBy(AnnotatedElement element) {
        for (Annotation annotation : element.getAnnotations()) {
            for (Method value : annotation.annotationType().getDeclaredMethods()) {
                try {
                    Object named = value.invoke(annotation);
                    if (named instanceof Class<?> one) {
                        addModel(one);
                    } else if (named instanceof Class<?>[] several) {
                        Stream.of(several).forEach(this::addModel);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(annotation + " of " + element, e);
                }
            }
        }
    }

    private void addTypes(Type type) {
        switch (type) {
            case Class<?> plain when plain.isArray() -> addTypes(plain.getComponentType());
            case Class<?> plain -> addModel(plain);
            case ParameterizedType generic -> {
                addTypes(generic.getRawType());
                for (Type argument : generic.getActualTypeArguments()) {
                    addTypes(argument);
                }
            }
            case GenericArrayType array -> addTypes(array.getGenericComponentType());
            case WildcardType wildcard -> addTypes(wildcard.getUpperBounds()[0]);
            default -> {} // a type variable has no class of its own
        }
    }

    private static String outer(String name) {
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private boolean stays(String name) {
        if (name.startsWith(MODEL)) {
            return models.contains(outer(name));
        }
        return !name.startsWith(OPERATORS) || reached.contains(name);
    }

    private void narrow(Path config) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode all = mapper.readTree(Files.readAllBytes(config));
        ArrayNode kept = mapper.createArrayNode();
        for (JsonNode entry : all) {
            String name = entry.path("name").asText();
            if (stays(name)) {
                kept.add(name.startsWith(MODEL) ? withoutBuilders((ObjectNode) entry, name) : entry);
            }
        }
        Files.write(config, mapper.writeValueAsBytes(kept));
        System.err.println("native: " + kept.size() + " of " + all.size() + " classes stay open to reflection");
    }

    /** Every method of a model but those that make its builder, which lead to the builders of all its parts. */
    private static ObjectNode withoutBuilders(ObjectNode entry, String name) {
        if (entry.remove("allDeclaredMethods") != null) {
            ArrayNode methods = entry.putArray("methods");
            for (Method method : type(name).getDeclaredMethods()) {
                if (!method.isSynthetic() && !List.of("toBuilder", "edit").contains(method.getName())) {
                    ObjectNode one = methods.addObject().put("name", method.getName());
                    ArrayNode parameters = one.putArray("parameterTypes");
                    Stream.of(method.getParameterTypes()).map(Class::getTypeName).forEach(parameters::add);
                }
            }
        }
        return entry;
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, NativeMetadata.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("registered, but not there: " + name, e);
        }
    }

    /** The client makes a list of all kinds from these files when it reads its first object. */
    private void narrowKinds(Path library) throws IOException {
        if (!library.getFileName().toString().contains("kubernetes-model")) {
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(library)) {
            Path kinds = jar.getPath(KINDS);
            if (Files.exists(kinds)) {
                Files.write(kinds, Files.readAllLines(kinds).stream().filter(this::stays).toList());
            }
        }
    }
}
