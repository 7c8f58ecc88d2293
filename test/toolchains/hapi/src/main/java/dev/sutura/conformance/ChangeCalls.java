package dev.sutura.conformance;

import static dev.sutura.conformance.Calls.expect;

import ca.uhn.fhir.rest.api.MethodOutcome;
import ca.uhn.fhir.rest.server.exceptions.PreconditionFailedException;
import java.util.Date;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.CodeType;
import org.hl7.fhir.r4.model.DateType;
import org.hl7.fhir.r4.model.Meta;
import org.hl7.fhir.r4.model.Parameters;
import org.hl7.fhir.r4.model.Patient;
import org.hl7.fhir.r4.model.StringType;
import org.hl7.fhir.r4.model.Subscription;
import org.hl7.fhir.r4.model.Type;

/** Patches, meta data, histories, Subscriptions. */
final class ChangeCalls {
  private ChangeCalls() {}

  static void make(Session s) throws Exception {
    patches(s);
    meta(s);
    Calls.make(s.name("history of an instance"), () -> s.client.history().onInstance(s.patient).returnBundle(Bundle.class).execute().getEntry().size());
    Calls.make(s.name("history of a type"), () -> s.client.history().onType(Patient.class).returnBundle(Bundle.class).count(5).execute().getEntry().size());
    Calls.make(s.name("history of the server, in pages"), () -> {
      Bundle first = s.client.history().onServer().returnBundle(Bundle.class).count(3).execute();
      return s.client.loadPage().next(first).execute().getEntry().size();
    });
    Calls.make(s.name("history since a time"), () -> s.client.history().onInstance(s.patient).returnBundle(Bundle.class).since(new Date(System.currentTimeMillis() - 600_000)).execute().getEntry().size());
    subscriptions(s);
  }

  private static void patches(Session s) throws Exception {
    Calls.make(s.name("JSON Patch"), () -> s.client.patch().withBody("[{\"op\":\"replace\",\"path\":\"/birthDate\",\"value\":\"1950-04-01\"}]").withId(s.patient).execute().getId());
    Calls.make(s.name("FHIRPath Patch"), () -> {
      s.client.patch().withFhirPatch(replaceBirthDate("1950-05-01")).withId(s.patient).execute();
      Patient patched = s.client.read().resource(Patient.class).withId(s.patient.getIdPart()).execute();
      return expect("1950-05-01".equals(patched.getBirthDateElement().getValueAsString()), "the new birth date", patched.getId());
    });
    Calls.make(s.name("conditional FHIRPath Patch"), () -> s.client.patch().withFhirPatch(replaceBirthDate("1950-06-01")).conditional(Patient.class).where(Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("a"))).execute().getId());
    Calls.refused(s.name("patch of a stale version"), PreconditionFailedException.class, () -> s.client.patch().withBody("[{\"op\":\"remove\",\"path\":\"/birthDate\"}]").withId(s.patient).withAdditionalHeader("If-Match", "W/\"1\"").execute().getId());
    Calls.make(s.name("patch in a transaction"), () -> {
      Bundle bundle = new Bundle().setType(Bundle.BundleType.TRANSACTION);
      bundle.addEntry().setFullUrl("Patient/" + s.patient.getIdPart()).setResource(replaceBirthDate("1950-07-01")).getRequest().setMethod(Bundle.HTTPVerb.PATCH).setUrl("Patient/" + s.patient.getIdPart());
      return s.client.transaction().withBundle(bundle).execute().getEntryFirstRep().getResponse().getStatus();
    });
  }

  private static Parameters replaceBirthDate(String date) {
    Parameters patch = new Parameters();
    Parameters.ParametersParameterComponent operation = patch.addParameter().setName("operation");
    part(operation, "type", new CodeType("replace"));
    part(operation, "path", new StringType("Patient.birthDate"));
    part(operation, "value", new DateType(date));
    return patch;
  }

  private static void part(Parameters.ParametersParameterComponent operation, String name, Type value) {
    operation.addPart().setName(name).setValue(value);
  }

  private static void meta(Session s) throws Exception {
    Meta tag = new Meta();
    tag.addTag("urn:example:tags", "week-1", null);
    Calls.make(s.name("$meta-add"), () -> expect(s.client.meta().add().onResource(s.patient).meta(tag).execute().getTag("urn:example:tags", "week-1") != null, "the tag", "added"));
    Calls.make(s.name("$meta"), () -> expect(s.client.meta().get(Meta.class).fromResource(s.patient).execute().getTag("urn:example:tags", "week-1") != null, "the tag", "there"));
    Calls.make(s.name("$meta-delete"), () -> expect(s.client.meta().delete().onResource(s.patient).meta(tag).execute().getTag("urn:example:tags", "week-1") == null, "no tag", "gone"));
  }

  private static void subscriptions(Session s) throws Exception {
    Subscription subscription = new Subscription();
    Calls.make(s.name("create of a Subscription"), () -> {
      subscription.setStatus(Subscription.SubscriptionStatus.REQUESTED).setReason("Reports to the ward").setCriteria("DiagnosticReport?patient=" + s.patient.getIdPart());
      subscription.getChannel().setType(Subscription.SubscriptionChannelType.RESTHOOK).setEndpoint("https://ward.example/fhir-hook").setPayload("application/fhir+" + s.encoding);
      MethodOutcome made = s.client.create().resource(subscription).execute();
      subscription.setId(Session.plain(made.getId()));
      return made.getId();
    });
    Calls.make(s.name("read of a Subscription"), () -> s.client.read().resource(Subscription.class).withId(subscription.getIdElement().getIdPart()).execute().getStatus());
    Calls.make(s.name("delete of a Subscription"), () -> s.client.delete().resourceById(Session.plain(subscription.getIdElement())).execute().getId());
  }
}
