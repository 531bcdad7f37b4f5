package net.ipmasq.bundle.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.resource.InputStreamSource;
import java.util.List;
import java.util.Map;
import net.ipmasq.agent.UsageException;
import org.jspecify.annotations.Nullable;

/** The schema of the chart's values, judged by a validator that is not Helm's. */
final class ValuesSchema {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonSchema schema;

    ValuesSchema(String text) {
        try {
            schema = JsonSchemaFactory.getInstance(VersionFlag.V202012, ValuesSchema::readNothingElse)
                    .getSchema(JSON.readTree(text));
            schema.initializeValidators();
        } catch (JsonProcessingException e) {
            throw new UsageException(BundleFiles.SCHEMA + " is not JSON: " + e.getOriginalMessage());
        } catch (JsonSchemaException e) {
            throw new UsageException(BundleFiles.SCHEMA + " is not a JSON schema: " + e.getMessage());
        }
    }

    /** A reference in a bundle must not make its reader fetch something; the meta-schemas are in the validator's own jar. */
    private static void readNothingElse(JsonSchemaFactory.Builder builder) {
        builder.schemaLoaders(loaders -> loaders.add(ValuesSchema::refuse));
    }

    private static @Nullable InputStreamSource refuse(AbsoluteIri iri) {
        if (iri.toString().startsWith("classpath:")) {
            return null;
        }
        throw new JsonSchemaException("it refers to " + iri + "; a bundle's schema holds everything itself");
    }

    /** Why it refuses values, one text for each place; empty when it takes them. */
    List<String> refusals(Map<String, Object> values) {
        return schema.validate(JSON.valueToTree(values)).stream()
                .map(message -> message.getMessage())
                .distinct()
                .toList();
    }
}
