package dev.sutura.conformance;

import ca.uhn.fhir.rest.client.api.IGenericClient;
import org.hl7.fhir.instance.model.api.IIdType;
import org.hl7.fhir.r4.model.IdType;
import org.hl7.fhir.r4.model.Patient;

/** A client, and what its calls made, for the calls after them. */
final class Session {
  static final String NUMBERS = "urn:oid:2.16.840.1.113883.2.4.99";
  final IGenericClient client;
  final String encoding;
  final byte[] photo;
  /** Numbers of this run. */
  final String run = Long.toString(System.nanoTime(), 36);

  IIdType patient;
  IIdType wound;
  IIdType media;
  IIdType order;
  IIdType report;

  Session(IGenericClient client, String encoding, byte[] photo) {
    this.client = client;
    this.encoding = encoding;
    this.photo = photo;
  }

  String name(String call) {
    return encoding + ": " + call;
  }

  String number(String which) {
    return run + "-" + which;
  }

  Patient newPatient(String which) {
    Patient patient = new Patient();
    patient.addIdentifier().setSystem(NUMBERS).setValue(number(which));
    patient.addName().setFamily("Beispiel" + run).addGiven("Testa");
    patient.setBirthDateElement(new org.hl7.fhir.r4.model.DateType("1950-03-01"));
    return patient;
  }

  static IIdType plain(IIdType id) {
    return new IdType(id.getResourceType(), id.getIdPart());
  }
}
