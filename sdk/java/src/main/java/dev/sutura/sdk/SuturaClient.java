package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import dev.sutura.sdk.model.AnalysisJobRequest;
import dev.sutura.sdk.model.UploadTicket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The client of a Sutura service. One serves a whole program and all its threads; nothing must be closed. Keep it on
 * a server: whoever has the key can read the results.
 */
public final class SuturaClient extends ReportOperations {
    private final Uploads uploads;

    private SuturaClient(Calls calls) {
        super(calls);
        this.uploads = new Uploads(calls, this::getUploadUrl);
    }

    /** A client by {@code SUTURA_API_KEY} and {@code SUTURA_BASE_URL}. */
    public static SuturaClient create() {
        return builder().build();
    }

    /** Options of a client. */
    public static Builder builder() {
        return new Builder();
    }

    /** Uploads a photo, creates a job for it and waits until it has ended. */
    public AnalysisJob analyzeImageAndWait(Photo photo, AnalysisJobRequest request) {
        return waitForJob(analyzeImage(photo, request).id());
    }

    /**
     * The same with a key of one's own, and with how to wait.
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     * @param progress is told how much has been sent; may be null
     */
    public AnalysisJob analyzeImageAndWait(Photo photo, AnalysisJobRequest request, String idempotencyKey,
            UploadProgress progress, WaitOptions options) {
        return waitForJob(analyzeImage(photo, request, idempotencyKey, progress).id(), options);
    }

    /** Uploads a photo and creates a job for it; {@code imageId} of the request is that of the photo then. */
    public AnalysisJob analyzeImage(Photo photo, AnalysisJobRequest request) {
        return analyzeImage(photo, request, null, null);
    }

    /**
     * The same with a key of one's own, so that a program may repeat it after a crash.
     *
     * @param idempotencyKey the same for every repeat of this; null: a new one
     * @param progress is told how much has been sent; may be null
     */
    public AnalysisJob analyzeImage(
            Photo photo, AnalysisJobRequest request, String idempotencyKey, UploadProgress progress) {
        String imageId = uploads.upload(photo, progress);
        AnalysisJobRequest given = request == null ? new AnalysisJobRequest() : request;
        return createAnalysisJob(given.imageId(imageId), idempotencyKey);
    }

    /** Sends a photo to the address of a ticket, with its exact headers and without the key. */
    public UploadReceipt uploadFileToSignedUrl(UploadTicket ticket, Photo photo) {
        return uploadFileToSignedUrl(ticket.uploadUrl(), ticket.headers(), ticket.maxBytes(), photo, null);
    }

    /**
     * The same with the parts of a ticket.
     *
     * @param maxBytes more are not sent; may be null
     * @param progress is told how much has been sent; may be null
     */
    public UploadReceipt uploadFileToSignedUrl(
            String uploadUrl, Map<String, String> headers, Long maxBytes, Photo photo, UploadProgress progress) {
        return uploads.put(uploadUrl, headers, maxBytes, photo, progress);
    }

    /** Waits five minutes at most. */
    public AnalysisJob waitForJob(String jobId) {
        return waitForJob(jobId, new WaitOptions());
    }

    /**
     * Waits until a job has ended.
     *
     * @throws JobFailedException where it ended in error
     * @throws WaitTimeoutException where it still runs; it goes on
     */
    public AnalysisJob waitForJob(String jobId, WaitOptions options) {
        return new JobWatch(calls, jobId, options).untilEnded();
    }

    /** Saves a picture of a job: mask, overlay or tissue. The file appears whole or not at all. */
    public SavedFile downloadArtifact(String jobId, String artifact, Path path) {
        return downloads.artifact(jobId, artifact, path);
    }

    /** Deletes an image that no analysis uses. */
    public void deleteImage(String imageId) {
        calls.nothing(Call.of("DELETE", "/api/v1/images/" + Segment.of("imageId", imageId)).goneIsDone());
    }

    /** Any route, with key, retries and exceptions by code; the answer as it came. No redirect is followed. */
    public RawAnswer request(RawRequest request) {
        return calls.send(request.toCall(), answer -> new RawAnswer(answer.status(), answer.headers(), answer.body()));
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "SuturaClient[" + calls.settings.baseUrl() + "]";
    }

    /** Options of a client, all with a default. */
    public static final class Builder {
        private static final String LOCAL = "http://127.0.0.1:3000";
        private String apiKey = System.getenv("SUTURA_API_KEY");
        private String baseUrl = System.getenv("SUTURA_BASE_URL");
        private Duration timeout = Duration.ofSeconds(60);
        private int maxRetries = 3;
        private Duration maxRetryAfter = Duration.ofSeconds(60);
        private HttpClient http;
        private Time time = Time.REAL;

        private Builder() {
        }

        /** By default {@code SUTURA_API_KEY}. */
        public Builder apiKey(String key) {
            apiKey = key;
            return this;
        }

        /** By default {@code SUTURA_BASE_URL}, else the service on this machine. A path in it is kept. */
        public Builder baseUrl(String url) {
            baseUrl = url;
            return this;
        }

        /** The longest wait for an answer, and the longest silence while a photo or document is on its way; 60 s. */
        public Builder timeout(Duration given) {
            timeout = given;
            return this;
        }

        /** Repeats after the first attempt; 3. */
        public Builder maxRetries(int given) {
            maxRetries = given;
            return this;
        }

        /** The longest {@code Retry-After} that is waited for; 60 s. */
        public Builder maxRetryAfter(Duration given) {
            maxRetryAfter = given;
            return this;
        }

        /** For a proxy or a certificate authority of one's own. It must not follow redirects. */
        public Builder httpClient(HttpClient given) {
            http = given;
            return this;
        }

        Builder time(Time given) {
            time = given;
            return this;
        }

        /** The client. */
        public SuturaClient build() {
            if (timeout.isNegative() || timeout.isZero() || maxRetries < 0 || maxRetryAfter.isNegative()) {
                throw refused("timeout must be above 0, maxRetries and maxRetryAfter not below.");
            }
            if (http != null && http.followRedirects() != HttpClient.Redirect.NEVER) {
                throw refused("The HTTP client must not follow redirects: the key would go along.");
            }
            HttpClient used = http == null ? HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).build() : http;
            Settings settings = new Settings(checkedUrl(), timeout, maxRetries, maxRetryAfter, used, time);
            return new SuturaClient(new Calls(new Connection(settings, checkedKey())));
        }

        /** Trimmed, because keys are often read from a file with a line end. The messages do not show what was given. */
        private String checkedKey() {
            String key = apiKey == null ? "" : apiKey.strip();
            if (key.isEmpty()) {
                throw refused("No API key: give apiKey, or set SUTURA_API_KEY.");
            }
            if (!key.matches("[\\x21-\\x7e]+")) {
                throw refused("The API key has characters that no key has. Copy it again.");
            }
            return key;
        }

        private URI checkedUrl() {
            String text = baseUrl == null || baseUrl.isBlank() ? LOCAL : baseUrl.strip();
            URI url = Settings.webAddress(text);
            if (url == null || url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
                throw refused("The base URL must be an address such as " + LOCAL
                    + ", without user, password, query and fragment.");
            }
            String base = text.replaceFirst("/+$", "");
            if (base.endsWith("/api/v1")) {
                throw refused("Leave out /api/v1 at the end of the base URL: this library adds it.");
            }
            return URI.create(base);
        }

        private static ConfigurationException refused(String why) {
            return new ConfigurationException(why, Facts.NONE);
        }
    }
}
