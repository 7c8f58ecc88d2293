package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import dev.sutura.sdk.model.AnalysisJobRequest;
import dev.sutura.sdk.model.Calibration;
import dev.sutura.sdk.model.ErrorCode;
import dev.sutura.sdk.model.JobSubject;
import dev.sutura.sdk.model.LoggedEvent;
import dev.sutura.sdk.model.ReviewRequest;
import dev.sutura.sdk.model.Reviewer;
import dev.sutura.sdk.model.WebhookChange;
import dev.sutura.sdk.model.WebhookRequest;
import dev.sutura.sdk.model.WebhookWithSecret;
import dev.sutura.sdk.model.Wound;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The client against a real service: {@code FlowChecks URL KEY PHOTO FOLDER}; prints "all hold", or ends with what does not. */
final class FlowChecks {
    private FlowChecks() {
    }

    public static void main(String[] words) throws Exception {
        SuturaClient client = SuturaClient.builder().baseUrl(words[0]).apiKey(words[1]).build();
        Path folder = Path.of(words[3]);
        AnalysisJob job;
        try (Photo photo = Photo.of(Path.of(words[2]))) {
            job = client.analyzeImageAndWait(photo, new AnalysisJobRequest()
                .subject(new JobSubject().patientId("MRN-JAVA").woundId("W1"))
                .calibration(new Calibration().mmPerPixel(0.2)));
        }
        check(job.result().wounds().get(0).area().cm2().value() > 0, "an area in cm2");
        check(!job.toString().contains("MRN-JAVA"), "what is printed has no content");
        SavedFile overlay = client.downloadArtifact(job.id(), "overlay", folder.resolve("overlay.jpg"));
        check(Files.size(overlay.path()) == overlay.sizeBytes() && overlay.sizeBytes() > 0, "the overlay is whole");
        report(client, job, folder);
        lists(client, job);
        webhooks(client);
        client.measureCalibrationCard(new dev.sutura.sdk.model.CalibrationCardMeasurement().size("a4").measuredBarMm(98.5));
        check(client.listCalibrationCards().items().stream().anyMatch(card -> Double.valueOf(98.5).equals(card.measuredBarMm())),
            "the bar is stored");
        client.forgetCalibrationCard();
        check(!client.listModels().items().isEmpty(), "there are models");
        check(client.listHeld().items() != null, "the list of what waits");
        check(client.request(RawRequest.of("GET", "/api/v1/usage")).json().get("used").asLong() >= 1, "the use is counted");
        System.out.println("all hold");
    }

    private static void report(SuturaClient client, AnalysisJob job, Path folder) throws Exception {
        TaggedReport report = client.getReport(job.links().report());
        ReviewRequest review = new ReviewRequest().decision("accept").reviewer(new Reviewer().id("N-7").name("Example Reviewer"));
        TaggedReport accepted = client.reviewReport(report, review);
        check(accepted.report().version() == report.report().version() + 1, "a review makes a version");
        try {
            client.reviewReport(report, review);
            throw new IllegalStateException("a stale report was reviewed");
        } catch (PreconditionFailedException fault) {
            check(ErrorCode.REPORT_STALE.equals(fault.code()), "the refusal has its code");
        }
        SavedFile file = client.saveReport(report.id(), folder.resolve("report.pdf"), DocumentFormat.PDF,
            new DocumentOptions().language("de"));
        check(new String(Files.readAllBytes(file.path()), 0, 5, "US-ASCII").equals("%PDF-"), "a PDF is saved");
    }

    private static void lists(SuturaClient client, AnalysisJob job) {
        List<Wound> wounds = client.iterateWounds(new ListWoundsQuery().patientId("MRN-JAVA").limit(1)).stream().toList();
        check(wounds.size() == 1 && wounds.get(0).linked(), "the wound is found by its patient");
        check(client.getWoundTimeline(wounds.get(0).id()).assessments().get(0).jobId().equals(job.id()), "its course");
        List<String> types = client.iterateEvents(null).stream().map(LoggedEvent::type).toList();
        check(types.contains("analysis.completed"), "the log tells of results");
        try {
            client.getJob("01997f2e-ffff-7000-8000-00000000ffff");
            throw new IllegalStateException("a job that is none was found");
        } catch (NotFoundException fault) {
            check(ErrorCode.JOB_NOT_FOUND.equals(fault.code()) && fault.requestId() != null, "with its code");
        }
    }

    private static void webhooks(SuturaClient client) {
        try {
            client.createWebhook(new WebhookRequest().url("https://10.1.2.3/sutura"));
            throw new IllegalStateException("an address inside the house was taken");
        } catch (UnprocessableException fault) {
            check(ErrorCode.WEBHOOK_URL_REFUSED.equals(fault.code()), "the refusal has its code");
        }
        WebhookWithSecret webhook = client.createWebhook(new WebhookRequest().url("https://ward.example.org/sutura"));
        check(webhook.secret().startsWith("whsec_") && !webhook.toString().contains("whsec_"), "the secret is not printed");
        client.changeWebhook(webhook.id(), new WebhookChange().types(List.of("report.ready")));
        check(client.listWebhooks().items().get(0).types().equals(List.of("report.ready")), "it is changed");
        client.deleteWebhook(webhook.id());
        check(client.listWebhooks().items().isEmpty(), "it is gone");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("does not hold: " + what);
        }
    }
}
