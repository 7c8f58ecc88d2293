package dev.sutura.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Pictures and documents into files. */
final class Downloads {
    private static final int MOST_REDIRECTS = 5;
    private final Calls calls;

    Downloads(Calls calls) {
        this.calls = calls;
    }

    /** {@code check} refuses an answer before the file appears. */
    SavedFile save(Call call, Path path, UnaryOperator<Answer> check) {
        call.isLong = true;
        try (FileSink sink = new FileSink(path)) {
            call.sink = sink;
            Answer answer = calls.send(call, check::apply);
            sink.keep();
            return new SavedFile(path, answer.contentType(), answer.sizeBytes());
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Follows to the store without the key. */
    SavedFile artifact(String jobId, String artifact, Path path) {
        String own = Jobs.path(jobId) + "/artifacts/" + Segment.of("artifact", artifact);
        URI address = URI.create(calls.settings.baseUrl() + own);
        try (FileSink sink = new FileSink(path)) {
            for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
                Answer answer = step(address, sink);
                if (answer.status() < 300) {
                    sink.keep();
                    return new SavedFile(path, answer.contentType(), answer.sizeBytes());
                }
                address = elsewhere(answer, address);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        throw new MalformedResponseException(
            "The artifact was not found behind " + MOST_REDIRECTS + " redirects.", Facts.NONE);
    }

    private Answer step(URI address, FileSink sink) {
        Call call = Call.to("GET", address);
        call.withKey = calls.settings.isOwnOrigin(address);
        call.acceptsRedirects = true;
        call.isLong = true;
        call.sink = sink;
        return calls.send(call, answer -> answer);
    }

    /** The location is not shown: it may be signed. */
    private URI elsewhere(Answer answer, URI from) {
        String location = answer.headers().firstValue("location").orElse(null);
        URI target = null;
        try {
            target = location == null ? null : Settings.webAddress(from.resolve(location).toString());
        } catch (IllegalArgumentException fault) {
            // No address at all: refused below.
        }
        if (target == null) {
            throw new MalformedResponseException("The service answered " + answer.status()
                + " without an address to go to.", Problems.factsOf(answer.status(), answer.headers(), calls.settings.time().now()));
        }
        return target;
    }
}
