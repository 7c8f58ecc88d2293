package dev.sutura.conformance;

import static dev.sutura.conformance.Calls.expect;
import static dev.sutura.conformance.Calls.make;
import static dev.sutura.conformance.Calls.refused;

import ca.uhn.fhir.rest.api.MethodOutcome;
import ca.uhn.fhir.rest.api.PreferReturnEnum;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import ca.uhn.fhir.rest.server.exceptions.PreconditionFailedException;
import ca.uhn.fhir.rest.server.exceptions.ResourceNotFoundException;
import ca.uhn.fhir.rest.server.exceptions.UnprocessableEntityException;
import java.util.UUID;
import org.hl7.fhir.r4.model.CapabilityStatement;
import org.hl7.fhir.r4.model.Patient;

/** Create, read, update, and all three on a condition. */
final class RecordCalls {
  private RecordCalls() {}

  static void make(Session s) throws Exception {
    Calls.make(s.name("capabilities"), () -> s.client.capabilities().ofType(CapabilityStatement.class).execute().getFhirVersion());
    Calls.make(s.name("create"), () -> {
      MethodOutcome made = s.client.create().resource(s.newPatient("a")).prefer(PreferReturnEnum.REPRESENTATION).execute();
      s.patient = Session.plain(made.getId());
      return expect(Boolean.TRUE.equals(made.getCreated()) && made.getResource() != null, "created, with the resource", made.getId());
    });
    Calls.make(s.name("create, minimal"), () -> {
      MethodOutcome made = s.client.create().resource(s.newPatient("minimal")).prefer(PreferReturnEnum.MINIMAL).execute();
      return expect(made.getId().hasVersionIdPart(), "an id with its version", made.getId());
    });
    refused(s.name("create what R4 refuses"), InvalidRequestException.class, () -> {
      Patient patient = s.newPatient("wrong");
      patient.getNameFirstRep().getPeriod().getStartElement().setValueAsString("2026-02-01");
      patient.getNameFirstRep().getPeriod().getEndElement().setValueAsString("2026-01-01");
      return s.client.create().resource(patient).execute().getId();
    });
    reads(s);
    updates(s);
    conditions(s);
  }

  private static void reads(Session s) throws Exception {
    Calls.make(s.name("read"), () -> s.client.read().resource(Patient.class).withId(s.patient.getIdPart()).execute().getId());
    Calls.make(s.name("vread"), () -> s.client.read().resource(Patient.class).withIdAndVersion(s.patient.getIdPart(), "1").execute().getId());
    Calls.make(s.name("read if it is another version"), () -> {
      Patient none = s.client.read().resource(Patient.class).withId(s.patient.getIdPart()).ifVersionMatches("1").returnNull().execute();
      return expect(none == null, "nothing for the version that is there", "304");
    });
    Calls.make(s.name("read in parts"), () -> {
      Patient part = s.client.read().resource(Patient.class).withId(s.patient.getIdPart()).elementsSubset("birthDate").execute();
      return expect(part.hasBirthDate() && !part.hasName(), "the birth date alone", part.getId());
    });
    refused(s.name("read what is not there"), ResourceNotFoundException.class, () -> s.client.read().resource(Patient.class).withId(UUID.randomUUID().toString()).execute());
  }

  private static void updates(Session s) throws Exception {
    Calls.make(s.name("update"), () -> {
      Patient patient = s.client.read().resource(Patient.class).withId(s.patient.getIdPart()).execute();
      patient.addName().setFamily("Ehedem").setUse(org.hl7.fhir.r4.model.HumanName.NameUse.MAIDEN);
      return s.client.update().resource(patient).execute().getId();
    });
    refused(s.name("update of a stale version"), PreconditionFailedException.class, () -> {
      Patient patient = s.client.read().resource(Patient.class).withIdAndVersion(s.patient.getIdPart(), "1").execute();
      return s.client.update().resource(patient).withAdditionalHeader("If-Match", "W/\"1\"").execute().getId();
    });
    Calls.make(s.name("update that creates"), () -> {
      Patient patient = s.newPatient("own-id");
      patient.setId("own-" + s.run);
      MethodOutcome made = s.client.update().resource(patient).execute();
      return expect(Boolean.TRUE.equals(made.getCreated()), "created", made.getId());
    });
    Calls.make(s.name("update that creates, under an id like a UUIDv7"), () -> {
      Patient patient = s.newPatient("uuid");
      String random = UUID.randomUUID().toString();
      patient.setId(random.substring(0, 14) + "7" + random.substring(15));
      return s.client.update().resource(patient).execute().getId();
    });
  }

  private static void conditions(Session s) throws Exception {
    var criteria = Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("cond"));
    Calls.make(s.name("conditional create, new"), () -> {
      MethodOutcome made = s.client.create().resource(s.newPatient("cond")).conditional().where(criteria).execute();
      return expect(Boolean.TRUE.equals(made.getCreated()), "created", made.getId());
    });
    Calls.make(s.name("conditional create, again"), () -> {
      MethodOutcome made = s.client.create().resource(s.newPatient("cond")).conditional().where(criteria).execute();
      return expect(!Boolean.TRUE.equals(made.getCreated()), "not created a second time", made.getId());
    });
    Calls.make(s.name("conditional create by address"), () -> s.client.create().resource(s.newPatient("cond2")).conditionalByUrl("Patient?identifier=" + Session.NUMBERS + "|" + s.number("cond2")).execute().getId());
    refused(s.name("conditional create that does not meet its condition"), UnprocessableEntityException.class, () -> s.client.create().resource(s.newPatient("cond4")).conditionalByUrl("Patient?identifier=" + Session.NUMBERS + "|" + s.number("cond3")).execute().getId());
    Calls.make(s.name("conditional update, new"), () -> s.client.update().resource(s.newPatient("cond5")).conditional().where(Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("cond5"))).execute().getId());
    Calls.make(s.name("conditional update, match"), () -> s.client.update().resource(s.newPatient("cond5")).conditional().where(Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("cond5"))).execute().getId());
  }
}
