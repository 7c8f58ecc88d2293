package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.context.support.DefaultProfileValidationSupport;
import java.nio.file.Path;
import java.util.List;
import org.hl7.fhir.common.hapi.validation.support.CommonCodeSystemsTerminologyService;
import org.hl7.fhir.common.hapi.validation.support.InMemoryTerminologyServerValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.PrePopulatedValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.SnapshotGeneratingValidationSupport;
import org.hl7.fhir.common.hapi.validation.support.ValidationSupportChain;

/** R4's own definitions and those of a folder; nothing is fetched. */
final class Support {
  private Support() {}

  static ValidationSupportChain of(FhirContext context, List<Path> definitions) throws Exception {
    PrePopulatedValidationSupport ours = new PrePopulatedValidationSupport(context);
    for (Path file : definitions) ours.addResource(ResourceFiles.read(context, file));
    return new ValidationSupportChain(
        ours,
        new DefaultProfileValidationSupport(context),
        new CommonCodeSystemsTerminologyService(context),
        new InMemoryTerminologyServerValidationSupport(context),
        new SnapshotGeneratingValidationSupport(context));
  }
}
