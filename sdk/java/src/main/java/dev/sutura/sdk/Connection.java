package dev.sutura.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** Sends requests. The only place that knows the key. */
final class Connection {
    static final String LOG_NAME = "dev.sutura.sdk";
    private static final String USER_AGENT = "sutura-sdk-java/0.1.0";
    /** Set by Java's client itself; a photo's length is that of its bytes. */
    private static final Set<String> NOT_OURS =
        Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");
    private static final System.Logger LOG = System.getLogger(LOG_NAME);

    final Settings settings;
    private final String apiKey;

    Connection(Settings settings, String apiKey) {
        this.settings = settings;
        this.apiKey = apiKey;
    }

    /** One attempt. {@code failures}: how many were before it. */
    Answer sendOnce(Call call, int failures) {
        URI address = call.address == null ? URI.create(settings.baseUrl() + call.path) : call.address;
        Watch watch = new Watch(call.timeout == null ? settings.timeout() : call.timeout);
        PhotoBody photo = call.photo == null ? null : new PhotoBody(call.photo, call.progress, watch::refresh);
        HttpRequest request = requestOf(call, address, photo);
        Runnable moved = call.isLong ? watch::refresh : () -> { };
        Instant started = settings.time().now();
        HttpResponse<AnswerBody> response;
        try {
            response = watch.await(settings.http().sendAsync(request,
                info -> new AnswerBody(isSuccess(info) ? call.sink : null, moved)), Settings.originOf(address));
        } catch (ExecutionException fault) {
            throw logged(call, failures, started, name(fault.getCause(), call, photo, address));
        } catch (SuturaException fault) {
            throw logged(call, failures, started, fault);
        }
        AnswerBody body = response.body();
        Answer answer = new Answer(response.statusCode(), response.headers(), body.bytes(), body.sizeBytes());
        log(call, failures, started, String.valueOf(answer.status()), answer);
        if (!isWelcome(call, answer.status())) {
            throw Problems.of(answer, settings.time().now());
        }
        return answer;
    }

    private RuntimeException logged(Call call, int failures, Instant started, RuntimeException fault) {
        log(call, failures, started, fault.getClass().getSimpleName(), null);
        return fault;
    }

    private HttpRequest requestOf(Call call, URI address, PhotoBody photo) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).method(call.method, bodyOf(call, photo));
        call.headers.forEach((name, value) -> {
            if (!NOT_OURS.contains(name.toLowerCase(Locale.ROOT))) {
                request.setHeader(name, value);
            }
        });
        if (call.withKey) {
            request.setHeader("authorization", "Bearer " + apiKey).setHeader("user-agent", USER_AGENT);
        }
        return request.build();
    }

    private static BodyPublisher bodyOf(Call call, PhotoBody photo) {
        if (photo != null) {
            return photo;
        }
        return call.json == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.json);
    }

    private static boolean isSuccess(ResponseInfo info) {
        return info.statusCode() >= 200 && info.statusCode() < 300;
    }

    private static boolean isWelcome(Call call, int status) {
        return (status >= 200 && status < 300) || call.accepted.contains(status)
            || (call.acceptsRedirects && status >= 300 && status < 400);
    }

    /** Faults of Java's client are not passed on as causes: some say the whole address, and an address may be signed. */
    private static RuntimeException name(Throwable fault, Call call, PhotoBody photo, URI address) {
        if (photo != null && photo.fault() != null) {
            return photo.fault();
        }
        if (call.sink != null && call.sink.fault() != null) {
            return new UncheckedIOException(call.sink.fault());
        }
        String code = codeOf(fault);
        return new NetworkException("No whole answer from " + Settings.originOf(address)
            + (code == null ? "" : " (" + code + ")") + ". Is the service running there?", Facts.ofCode(code));
    }

    private static String codeOf(Throwable fault) {
        for (Throwable one = fault; one != null; one = one.getCause()) {
            if (one instanceof UnresolvedAddressException) {
                return "ENOTFOUND";
            }
            if (one instanceof ConnectException) {
                return "ECONNREFUSED";
            }
        }
        String text = fault instanceof IOException ? String.valueOf(fault.getMessage()) : "";
        return text.matches("(?s).*(reset|no bytes|Broken pipe).*") ? "ECONNRESET" : null;
    }

    private void log(Call call, int failures, Instant started, String outcome, Answer answer) {
        if (!LOG.isLoggable(System.Logger.Level.DEBUG)) {
            return;
        }
        String id = answer == null ? "" : answer.headers().firstValue("x-request-id").map(one -> " " + one).orElse("");
        long ms = Duration.between(started, settings.time().now()).toMillis();
        LOG.log(System.Logger.Level.DEBUG, "sutura: " + call.method + " " + call.shownPath() + " " + outcome
            + ", attempt " + (failures + 1) + ", " + ms + " ms" + id);
    }

    /** An answer that looks like a success and is none of Sutura's. */
    MalformedResponseException malformed(Answer answer) {
        return new MalformedResponseException("The answer (" + answer.status()
            + ") is not what the service promises. Does the base URL lead to Sutura?",
            Problems.factsOf(answer.status(), answer.headers(), settings.time().now()));
    }
}
