package net.ipmasq.config;

/** The ConfigMap that an agent reads. */
record ConfigMapName(String namespace, String name) {

    /** A manifest without a namespace can be applied to this one. */
    boolean isOf(SyntaxNode.Mapping configMap) {
        return Manifest.metadata(configMap, "name")
                        .filter(entry -> isText(entry, name))
                        .isPresent()
                && Manifest.metadata(configMap, "namespace")
                        .filter(entry -> !isText(entry, namespace))
                        .isEmpty();
    }

    static boolean isText(SyntaxNode.Entry entry, String text) {
        return entry.value().asText().filter(text::equals).isPresent();
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
