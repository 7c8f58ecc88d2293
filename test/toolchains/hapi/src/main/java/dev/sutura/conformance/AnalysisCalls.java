package dev.sutura.conformance;

import static dev.sutura.conformance.Calls.expect;

import java.util.Date;
import org.hl7.fhir.r4.model.Attachment;
import org.hl7.fhir.r4.model.Binary;
import org.hl7.fhir.r4.model.BodyStructure;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeableConcept;
import org.hl7.fhir.r4.model.Coding;
import org.hl7.fhir.r4.model.DateTimeType;
import org.hl7.fhir.r4.model.DiagnosticReport;
import org.hl7.fhir.r4.model.IdType;
import org.hl7.fhir.r4.model.Media;
import org.hl7.fhir.r4.model.Observation;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Patient;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.Resource;
import org.hl7.fhir.r4.model.ServiceRequest;
import org.hl7.fhir.r4.model.Task;

/** From a Bundle with a photo to its report, and the operations that read it. */
final class AnalysisCalls {
  private static final long PATIENCE_MS = 120_000;
  private static final long PAUSE_MS = 500;
  private static final String WOUND = "https://sutura.dev/fhir/StructureDefinition/wound";

  private AnalysisCalls() {}

  static void make(Session s) throws Exception {
    Calls.make(s.name("transaction with a photo"), () -> transact(s));
    Calls.make(s.name("search until the Task has ended"), () -> awaitReport(s));
    Calls.make(s.name("read of the report"), () -> {
      DiagnosticReport report = s.client.read().resource(DiagnosticReport.class).withId(s.report.getIdPart()).execute();
      return expect(report.hasResult() && report.hasPresentedForm(), "results and a document", report.getStatus());
    });
    Calls.make(s.name("search of the report with its results"), () -> {
      Bundle found = s.client.search().forResource(DiagnosticReport.class).where(DiagnosticReport.PATIENT.hasId(s.patient.getIdPart())).include(DiagnosticReport.INCLUDE_RESULT).returnBundle(Bundle.class).execute();
      return expect(found.getEntry().stream().anyMatch(each -> each.getResource() instanceof Observation), "Observations beside it", found.getEntry().size());
    });
    Calls.make(s.name("read of the report's PDF"), () -> {
      Attachment document = s.client.read().resource(DiagnosticReport.class).withId(s.report.getIdPart()).execute().getPresentedFormFirstRep();
      Binary pdf = s.client.read().resource(Binary.class).withId(new IdType(document.getUrl()).getIdPart()).execute();
      return expect(pdf.getContent().length > 1000 && "application/pdf".equals(pdf.getContentType()), "a PDF", pdf.getContent().length);
    });
    operations(s);
    Calls.make(s.name("batch"), () -> {
      Bundle batch = new Bundle().setType(Bundle.BundleType.BATCH);
      batch.addEntry().getRequest().setMethod(Bundle.HTTPVerb.GET).setUrl("Patient/" + s.patient.getIdPart());
      batch.addEntry().getRequest().setMethod(Bundle.HTTPVerb.GET).setUrl("Patient/none-such");
      Bundle answer = s.client.transaction().withBundle(batch).execute();
      return expect(answer.getEntry().get(0).getResponse().getStatus().startsWith("200") && answer.getEntry().get(1).getResponse().getStatus().startsWith("404"), "200 and 404", "both");
    });
  }

  private static Object transact(Session s) {
    Patient patient = s.newPatient("a");
    BodyStructure wound = new BodyStructure();
    wound.addIdentifier().setSystem(Session.NUMBERS).setValue(s.number("wound"));
    wound.setLocation(new CodeableConcept(new Coding("http://snomed.info/sct", "75144006", null)).setText("Left lower leg")).setPatient(new Reference("urn:uuid:00000000-0000-4000-8000-000000000001"));
    Media media = new Media();
    media.addExtension(WOUND, new Reference("urn:uuid:00000000-0000-4000-8000-000000000002"));
    media.setStatus(Media.MediaStatus.COMPLETED).setSubject(new Reference("urn:uuid:00000000-0000-4000-8000-000000000001")).setCreated(new DateTimeType(new Date()));
    media.setType(new CodeableConcept(new Coding("http://terminology.hl7.org/CodeSystem/media-type", "image", null)));
    media.setContent(new Attachment().setContentType("image/jpeg").setData(s.photo));
    ServiceRequest order = new ServiceRequest();
    order.addIdentifier().setSystem(Session.NUMBERS).setValue(s.number("order"));
    order.setStatus(ServiceRequest.ServiceRequestStatus.ACTIVE).setIntent(ServiceRequest.ServiceRequestIntent.ORDER);
    order.setCode(new CodeableConcept(new Coding("http://loinc.org", "39135-9", "Wound assessment panel")));
    order.setSubject(new Reference("urn:uuid:00000000-0000-4000-8000-000000000001")).addSupportingInfo(new Reference("urn:uuid:00000000-0000-4000-8000-000000000003"));
    String known = "identifier=" + Session.NUMBERS + "|" + s.number("a");
    Bundle bundle = new Bundle().setType(Bundle.BundleType.TRANSACTION);
    entry(bundle, 1, patient, known);
    entry(bundle, 2, wound, "identifier=" + Session.NUMBERS + "|" + s.number("wound") + "&patient.identifier=" + Session.NUMBERS + "|" + s.number("a"));
    entry(bundle, 3, media, null);
    entry(bundle, 4, order, null);
    Bundle answer = s.client.transaction().withBundle(bundle).execute();
    s.wound = Session.plain(new IdType(answer.getEntry().get(1).getResponse().getLocation()));
    s.media = Session.plain(new IdType(answer.getEntry().get(2).getResponse().getLocation()));
    s.order = Session.plain(new IdType(answer.getEntry().get(3).getResponse().getLocation()));
    return answer.getEntry().size();
  }

  private static void entry(Bundle bundle, int at, Resource resource, String ifNoneExist) {
    bundle.addEntry().setFullUrl("urn:uuid:00000000-0000-4000-8000-00000000000" + at).setResource(resource).getRequest().setMethod(Bundle.HTTPVerb.POST).setUrl(resource.fhirType()).setIfNoneExist(ifNoneExist);
  }

  private static Object awaitReport(Session s) throws Exception {
    long until = System.currentTimeMillis() + PATIENCE_MS;
    while (System.currentTimeMillis() < until) {
      Bundle found = s.client.search().forResource(Task.class).where(Task.FOCUS.hasId(s.order)).returnBundle(Bundle.class).execute();
      Task task = found.getEntry().isEmpty() ? null : (Task) found.getEntryFirstRep().getResource();
      if (task != null && task.getStatus() == Task.TaskStatus.FAILED) throw new AssertionError("failed: " + task.getStatusReason().getText());
      if (task != null && task.getStatus() == Task.TaskStatus.COMPLETED) {
        s.report = Session.plain(new IdType(((Reference) task.getOutputFirstRep().getValue()).getReference()));
        return s.report;
      }
      Thread.sleep(PAUSE_MS);
    }
    throw new AssertionError("the Task has not ended");
  }

  private static void operations(Session s) throws Exception {
    Calls.make(s.name("$everything"), () -> {
      Bundle all = s.client.operation().onInstance(s.patient).named("$everything").withNoParameters(Parameters.class).useHttpGet().returnResourceType(Bundle.class).execute();
      return expect(all.getEntry().stream().anyMatch(each -> each.getResource() instanceof DiagnosticReport), "the report among them", all.getEntry().size());
    });
    Calls.make(s.name("$lastn"), () -> {
      Parameters asked = new Parameters();
      asked.addParameter("patient", new org.hl7.fhir.r4.model.StringType(s.patient.getIdPart()));
      return s.client.operation().onType(Observation.class).named("$lastn").withParameters(asked).useHttpGet().returnResourceType(Bundle.class).execute().getEntry().size();
    });
    Calls.make(s.name("$history-of-wound"), () -> s.client.operation().onInstance(s.wound).named("$history-of-wound").withNoParameters(Parameters.class).useHttpGet().returnResourceType(Bundle.class).execute().getEntry().size());
    Calls.make(s.name("$validate"), () -> s.client.validate().resource(s.newPatient("x")).execute().getOperationOutcome() != null);
    Calls.make(s.name("Binary by its bytes"), () -> {
      Binary binary = new Binary();
      binary.setContentType("application/pdf");
      binary.setContent("%PDF-1.4 example".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      return s.client.create().resource(binary).execute().getId();
    });
  }
}
