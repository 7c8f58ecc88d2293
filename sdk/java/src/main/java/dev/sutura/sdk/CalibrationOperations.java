// Generated from docs/openapi.json by "npm run build:sdk:java".
package dev.sutura.sdk;

import dev.sutura.sdk.model.CalibrationCardMeasurement;
import dev.sutura.sdk.model.CalibrationCards;

/** Operations on calibration. */
abstract class CalibrationOperations extends AnalysisOperations {
    CalibrationOperations(Calls calls) {
        super(calls);
    }

    /**
     * The calibration card to print
     *
     * @param size One size of card; absent: both.
     */
    public byte[] downloadCalibrationCard(String size) {
        return calls.bytes(Call.of("GET", "/api/v1/calibration-card.pdf").query("size", size), "application/pdf");
    }

    /** The calibration card to print */
    public byte[] downloadCalibrationCard() {
        return downloadCalibrationCard(null);
    }

    /** Stored corrections of printed cards */
    public CalibrationCards listCalibrationCards() {
        return calls.json(Call.of("GET", "/api/v1/calibration-card"), CalibrationCards.class, "items");
    }

    /** Store the length of a printed check bar */
    public CalibrationCards measureCalibrationCard(CalibrationCardMeasurement request) {
        return calls.json(Call.of("PUT", "/api/v1/calibration-card").json(request), CalibrationCards.class, "items");
    }

    /**
     * Remove stored corrections
     *
     * @param size One size of card; absent: both.
     */
    public void forgetCalibrationCard(String size) {
        calls.nothing(Call.of("DELETE", "/api/v1/calibration-card").query("size", size));
    }

    /** Remove stored corrections */
    public void forgetCalibrationCard() {
        forgetCalibrationCard(null);
    }
}
