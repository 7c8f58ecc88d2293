package dev.sutura.conformance;

import static dev.sutura.conformance.Calls.expect;

import ca.uhn.fhir.rest.api.SearchStyleEnum;
import ca.uhn.fhir.rest.api.SearchTotalModeEnum;
import ca.uhn.fhir.rest.api.SummaryEnum;
import ca.uhn.fhir.rest.param.DateRangeParam;
import ca.uhn.fhir.rest.server.exceptions.InvalidRequestException;
import java.util.Date;
import org.hl7.fhir.r4.model.AuditEvent;
import org.hl7.fhir.r4.model.Bundle;
import org.hl7.fhir.r4.model.Condition;
import org.hl7.fhir.r4.model.Encounter;
import org.hl7.fhir.r4.model.Patient;
import org.hl7.fhir.r4.model.Reference;
import org.hl7.fhir.r4.model.StructureDefinition;

/** Searches in HAPI's words. */
final class SearchCalls {
  private SearchCalls() {}

  static void make(Session s) throws Exception {
    var number = Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("a"));
    Calls.make(s.name("search by identifier"), () -> one(s.client.search().forResource(Patient.class).where(number).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search by POST"), () -> one(s.client.search().forResource(Patient.class).where(number).usingStyle(SearchStyleEnum.POST).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search by name, in pages"), () -> {
      Bundle first = s.client.search().forResource(Patient.class).where(Patient.FAMILY.matches().value("Beispiel" + s.run)).count(2).returnBundle(Bundle.class).execute();
      Bundle second = s.client.loadPage().next(first).execute();
      String shown = first.getEntryFirstRep().getResource().getId();
      return expect(first.getEntry().size() == 2 && second.getEntry().stream().noneMatch(each -> each.getResource().getId().equals(shown)), "two pages without overlap", first.getTotal());
    });
    Calls.make(s.name("search, sorted"), () -> s.client.search().forResource(Patient.class).sort().descending(Patient.BIRTHDATE).count(3).returnBundle(Bundle.class).execute().getEntry().size());
    Calls.make(s.name("search, counted"), () -> expectTotal(s.client.search().forResource(Patient.class).where(number).summaryMode(SummaryEnum.COUNT).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search with its total"), () -> expectTotal(s.client.search().forResource(Patient.class).where(number).totalMode(SearchTotalModeEnum.ACCURATE).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search by time of change"), () -> s.client.search().forResource(Patient.class).lastUpdated(new DateRangeParam(new Date(System.currentTimeMillis() - 3_600_000), null)).returnBundle(Bundle.class).execute().getEntry().size());
    Calls.refused(s.name("search by what is no parameter"), InvalidRequestException.class, () -> s.client.search().byUrl("Patient?colour=blue").withAdditionalHeader("Prefer", "handling=strict").returnBundle(Bundle.class).execute());
    related(s);
    Calls.make(s.name("search of definitions"), () -> one(s.client.search().forResource(StructureDefinition.class).where(StructureDefinition.URL.matches().value("https://sutura.dev/fhir/StructureDefinition/sutura-wound-area")).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search of the audit trail"), () -> s.client.search().forResource(AuditEvent.class).where(AuditEvent.PATIENT.hasId(s.patient.getIdPart())).returnBundle(Bundle.class).execute().getEntry().size());
  }

  private static void related(Session s) throws Exception {
    Calls.make(s.name("create what refers to it"), () -> {
      Condition condition = new Condition();
      condition.setSubject(new Reference(s.patient)).getCode().setText("Pressure sore");
      condition.addIdentifier().setSystem(Session.NUMBERS).setValue(s.number("condition"));
      return s.client.create().resource(condition).execute().getId();
    });
    Calls.make(s.name("search with _include"), () -> expectSize(2, s.client.search().forResource(Condition.class).where(Condition.PATIENT.hasId(s.patient.getIdPart())).include(Condition.INCLUDE_PATIENT).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search with _revinclude"), () -> expectSize(2, s.client.search().forResource(Patient.class).where(Patient.RES_ID.exactly().code(s.patient.getIdPart())).revInclude(Condition.INCLUDE_PATIENT).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search by a chain"), () -> one(s.client.search().forResource(Condition.class).where(Condition.PATIENT.hasChainedProperty(Patient.IDENTIFIER.exactly().systemAndIdentifier(Session.NUMBERS, s.number("a")))).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search by _has"), () -> one(s.client.search().byUrl("Patient?_has:Condition:patient:identifier=" + s.number("condition")).returnBundle(Bundle.class).execute()));
    Calls.make(s.name("search that finds nothing"), () -> expectSize(0, s.client.search().forResource(Encounter.class).where(Encounter.PATIENT.hasId(s.patient.getIdPart())).returnBundle(Bundle.class).execute()));
  }

  private static Object one(Bundle found) {
    return expectSize(1, found);
  }

  private static Object expectSize(int size, Bundle found) {
    return expect(found.getEntry().size() == size, size + " entries, not " + found.getEntry().size(), found.getTotal());
  }

  private static Object expectTotal(Bundle found) {
    return expect(found.getTotal() == 1, "a total of 1, not " + found.getTotal(), found.getTotal());
  }
}
