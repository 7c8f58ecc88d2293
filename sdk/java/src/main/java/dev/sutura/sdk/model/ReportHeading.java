// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk.model;

/**
 * Who and where the report is about, as the records say now; null: not known.
 *
 * @param birthDate ISO 8601; a month or a year where no more is known.
 * @param patientNumber With its authority or type, where they are known.
 * @param facility The organization, and where in it the patient lies.
 * @param timeZone IANA zone in which documents print moments; JSON has UTC.
 */
public record ReportHeading(
    String patientName,
    String birthDate,
    String patientNumber,
    String facility,
    String orderer,
    String timeZone
) {
    /** Without content: what is printed may end in a log. */
    @Override
    public String toString() {
        return "ReportHeading";
    }
}
