package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files in the other format, by HAPI's strict parser: OUT/NAME.json of NAME.xml and the other way round. */
final class Conversion {
  private Conversion() {}

  static void run(List<String> words) throws Exception {
    boolean toXml = words.get(0).equals("xml");
    Path out = Files.createDirectories(Path.of(words.get(1)));
    FhirContext context = FhirContext.forR4();
    for (Path file : ResourceFiles.of(words.subList(2, words.size()))) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("file", file.toString());
      try {
        String text = ResourceFiles.parser(context, toXml).encodeResourceToString(ResourceFiles.read(context, file));
        String name = file.getFileName().toString().replaceAll("\\.(json|xml)$", "");
        Path made = out.resolve(name + (toXml ? ".xml" : ".json"));
        Files.writeString(made, text);
        line.put("made", made.toString());
      } catch (RuntimeException refused) {
        line.put("refused", String.valueOf(refused.getMessage()));
      }
      Lines.print(line);
    }
  }
}
