package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.ValidationSupportContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;
import org.hl7.fhir.instance.model.api.IBaseResource;
import org.hl7.fhir.r4.model.StructureDefinition;

/** The snapshots that HAPI's generator makes of profiles, whose own ones are thrown away before. */
final class Snapshots {
  private Snapshots() {}

  static void run(List<String> words) throws Exception {
    FhirContext context = FhirContext.forR4();
    List<Path> files = ResourceFiles.of(words.subList(0, 1));
    Path out = Files.createDirectories(Path.of(words.get(1)));
    ValidationSupportChain support = Support.of(context, files);
    for (Path file : files) {
      IBaseResource resource = ResourceFiles.read(context, file);
      if (!(resource instanceof StructureDefinition profile)) continue;
      profile.setSnapshot(null);
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("file", file.toString());
      try {
        IBaseResource made =
            new SnapshotGeneratingValidationSupport(context)
                .generateSnapshot(new ValidationSupportContext(support), profile, profile.getUrl(), null, profile.getName());
        Path path = out.resolve(profile.getIdElement().getIdPart() + ".json");
        Files.writeString(path, context.newJsonParser().encodeResourceToString(made));
        line.put("made", path.toString());
      } catch (RuntimeException refused) {
        line.put("refused", String.valueOf(refused.getMessage()));
      }
      Lines.print(line);
    }
  }
}
