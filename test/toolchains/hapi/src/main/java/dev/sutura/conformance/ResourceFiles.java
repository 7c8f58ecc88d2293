package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.parser.IParser;
import ca.uhn.fhir.parser.StrictErrorHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hl7.fhir.instance.model.api.IBaseResource;

/** Files of resources, by their ending: .json or .xml. */
final class ResourceFiles {
  private ResourceFiles() {}

  static List<Path> of(List<String> words) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String word : words) {
      Path path = Path.of(word);
      if (!Files.isDirectory(path)) files.add(path);
      else
        try (Stream<Path> within = Files.walk(path)) {
          within.filter(ResourceFiles::isResource).sorted().forEach(files::add);
        }
    }
    return files;
  }

  static IBaseResource read(FhirContext context, Path file) throws IOException {
    return parser(context, isXml(file)).parseResource(Files.readString(file));
  }

  static IParser parser(FhirContext context, boolean xml) {
    IParser parser = xml ? context.newXmlParser() : context.newJsonParser();
    parser.setParserErrorHandler(new StrictErrorHandler());
    parser.setOverrideResourceIdWithBundleEntryFullUrl(false);
    return parser;
  }

  static boolean isXml(Path file) {
    return file.toString().endsWith(".xml");
  }

  private static boolean isResource(Path path) {
    String name = path.getFileName().toString();
    return Files.isRegularFile(path) && (name.endsWith(".json") || name.endsWith(".xml"));
  }
}
