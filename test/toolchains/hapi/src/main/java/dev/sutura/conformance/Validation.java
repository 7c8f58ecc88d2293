package dev.sutura.conformance;

import ca.uhn.fhir.context.FhirContext;
import ca.uhn.fhir.validation.FhirValidator;
import ca.uhn.fhir.validation.ResultSeverityEnum;
import ca.uhn.fhir.validation.ValidationResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hl7.fhir.common.hapi.validation.validator.FhirInstanceValidator;

/** What HAPI's FhirInstanceValidator says of files. */
final class Validation {
  private Validation() {}

  static void run(List<String> words) throws Exception {
    List<String> rest = new ArrayList<>(words);
    List<Path> definitions = List.of();
    if (!rest.isEmpty() && rest.get(0).equals("--definitions")) {
      definitions = ResourceFiles.of(List.of(rest.get(1).split(",")));
      rest = rest.subList(2, rest.size());
    }
    FhirContext context = FhirContext.forR4();
    FhirValidator validator = context.newValidator();
    validator.registerValidatorModule(new FhirInstanceValidator(Support.of(context, definitions)));
    for (Path file : ResourceFiles.of(rest)) Lines.print(line(file, validator));
  }

  private static Map<String, Object> line(Path file, FhirValidator validator) throws Exception {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("file", file.toString());
    try {
      ValidationResult result = validator.validateWithResult(Files.readString(file));
      line.put("valid", result.getMessages().stream().noneMatch(each -> isError(each.getSeverity())));
      line.put("issues", result.getMessages().stream().map(Validation::issue).toList());
    } catch (RuntimeException thrown) {
      // It does not get as far as an outcome: a parser's refusal, or a fault of the validator's own.
      line.put("valid", false);
      line.put("thrown", String.valueOf(thrown.getMessage()));
    }
    return line;
  }

  private static Map<String, Object> issue(ca.uhn.fhir.validation.SingleValidationMessage message) {
    Map<String, Object> issue = new LinkedHashMap<>();
    issue.put("severity", message.getSeverity().getCode());
    issue.put("id", message.getMessageId());
    issue.put("location", message.getLocationString());
    issue.put("message", message.getMessage());
    return issue;
  }

  private static boolean isError(ResultSeverityEnum severity) {
    return severity == ResultSeverityEnum.ERROR || severity == ResultSeverityEnum.FATAL;
  }
}
