package dev.sutura.conformance;

import static dev.sutura.conformance.Calls.expect;

import ca.uhn.fhir.rest.api.MethodOutcome;
import ca.uhn.fhir.rest.server.exceptions.MethodNotAllowedException;
import ca.uhn.fhir.rest.server.exceptions.ResourceGoneException;
import ca.uhn.fhir.rest.server.exceptions.ResourceVersionConflictException;
import org.hl7.fhir.instance.model.api.IIdType;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Patient;

/** Deleting, and what may not be deleted. */
final class EndCalls {
  private EndCalls() {}

  static void make(Session s) throws Exception {
    IIdType[] gone = new IIdType[1];
    Calls.make(s.name("delete"), () -> {
      gone[0] = Session.plain(s.client.create().resource(s.newPatient("gone")).execute().getId());
      return s.client.delete().resourceById(gone[0]).execute().getId();
    });
    Calls.refused(s.name("read of what was deleted"), ResourceGoneException.class, () -> s.client.read().resource(Patient.class).withId(gone[0].getIdPart()).execute());
    Calls.make(s.name("vread of what was deleted, before"), () -> s.client.read().resource(Patient.class).withIdAndVersion(gone[0].getIdPart(), "1").execute().getId());
    Calls.make(s.name("history of what was deleted"), () -> {
      Bundle versions = s.client.history().onInstance(gone[0]).returnBundle(Bundle.class).execute();
      return expect(versions.getEntryFirstRep().getRequest().getMethod() == Bundle.HTTPVerb.DELETE, "DELETE first", versions.getEntry().size());
    });
    Calls.make(s.name("search does not find what was deleted"), () -> {
      Bundle found = s.client.search().forResource(Patient.class).where(Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("gone"))).returnBundle(Bundle.class).execute();
      return expect(found.getEntry().isEmpty(), "nothing", found.getTotal());
    });
    Calls.make(s.name("undelete by update"), () -> {
      Patient again = s.newPatient("gone");
      again.setId(gone[0].getIdPart());
      MethodOutcome made = s.client.update().resource(again).execute();
      return s.client.read().resource(Patient.class).withId(gone[0].getIdPart()).execute().getId();
    });
    Calls.make(s.name("conditional delete"), () -> s.client.delete().resourceConditionalByUrl("Patient?identifier=" + Session.NUMBERS + "|" + s.number("gone")).execute().getOperationOutcome());
    Calls.make(s.name("delete in a transaction"), () -> {
      IIdType id = Session.plain(s.client.create().resource(s.newPatient("gone2")).execute().getId());
      Bundle bundle = new Bundle().setType(Bundle.BundleType.TRANSACTION);
      bundle.addEntry().getRequest().setMethod(Bundle.HTTPVerb.DELETE).setUrl("Patient/" + id.getIdPart());
      String status = s.client.transaction().withBundle(bundle).execute().getEntryFirstRep().getResponse().getStatus();
      return expect(status.startsWith("204") || status.startsWith("200"), "204 or 200, not " + status, status);
    });
    Calls.refused(s.name("delete of the patient under a report"), ResourceVersionConflictException.class, () -> s.client.delete().resourceById(s.patient).execute());
    Calls.refused(s.name("delete of a report"), MethodNotAllowedException.class, () -> s.client.delete().resourceById(s.report).execute());
  }
}
