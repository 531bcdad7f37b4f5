package net.ipmasq.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;

/** An outcome in the JSON shape of {@code check}, laid out as the case folders hold it. */
final class CheckJson {
    private CheckJson() {}

    static String of(ConfigOutcome outcome) throws IOException {
        StringWriter text = new StringWriter();
        DefaultPrettyPrinter layout = new DefaultPrettyPrinter();
        layout.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(layout);
            json.writeStartObject();
            json.writeBooleanField("valid", outcome instanceof ConfigOutcome.Loaded);
            json.writeArrayFieldStart("problems");
            for (Problem problem : outcome.problems()) {
                write(json, problem);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void write(JsonGenerator json, Problem problem) throws IOException {
        json.writeStartObject();
        json.writeStringField("severity", problem.severity().key());
        json.writeStringField("code", problem.code());
        json.writeNumberField("line", problem.line());
        json.writeNumberField("column", problem.column());
        json.writeStringField("path", problem.path());
        json.writeStringField("message", problem.message());
        json.writeStringField("fix", problem.fix());
        json.writeEndObject();
    }
}
