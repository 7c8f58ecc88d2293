package dev.sutura.sdk;

import dev.sutura.sdk.model.UploadRequest;
import dev.sutura.sdk.model.UploadTicket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Photos to their signed addresses. */
final class Uploads {
    private static final Set<Integer> ALREADY_THERE = Set.of(412);
    private final Calls calls;
    private final Function<UploadRequest, UploadTicket> ask;

    Uploads(Calls calls, Function<UploadRequest, UploadTicket> ask) {
        this.calls = calls;
        this.ask = ask;
    }

    /** Sends a photo, again where it was interrupted. The key stays here: the address is the permission. */
    UploadReceipt put(String uploadUrl, Map<String, String> headers, Long maxBytes, Photo photo, UploadProgress progress) {
        URI address = Settings.webAddress(uploadUrl);
        if (address == null) {
            throw new IllegalArgumentException("uploadUrl must be an address as the service gave it.");
        }
        if (maxBytes != null && photo.sizeBytes() > maxBytes) {
            throw new PayloadTooLargeException("The photo has " + photo.sizeBytes() + " bytes, and the service takes "
                + maxBytes + " at most. It was not sent.", Facts.ofCode("image.too_large"));
        }
        Call call = Call.to("PUT", address);
        if (headers != null) {
            headers.forEach(call::header);
        }
        call.photo = photo;
        call.progress = progress;
        call.accepted = ALREADY_THERE;
        return calls.send(call,
            answer -> new UploadReceipt(answer.headers().firstValue("etag").orElse(null), photo.sizeBytes()));
    }

    private UploadReceipt put(UploadTicket ticket, Photo photo, UploadProgress progress) {
        return put(ticket.uploadUrl(), ticket.headers(), ticket.maxBytes(), photo, progress);
    }

    /** Asks for an address and sends the photo there; once more where the address expired on the way. */
    String upload(Photo photo, UploadProgress progress) {
        UploadRequest announced = announce(photo);
        UploadTicket ticket = ask.apply(announced);
        try {
            put(ticket, photo, progress);
        } catch (SuturaException fault) {
            if (!isExpiry(fault, ticket)) {
                throw fault;
            }
            ticket = ask.apply(announced);
            put(ticket, photo, progress);
        }
        return ticket.imageId();
    }

    private static UploadRequest announce(Photo photo) {
        try {
            return new UploadRequest().contentType(photo.contentType()).contentLength(photo.sizeBytes())
                .sha256(photo.sha256());
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** The gateway says 410; an S3 store says 403 to an address past its time as to any other that it refuses. */
    private boolean isExpiry(SuturaException fault, UploadTicket ticket) {
        if (fault instanceof GoneException) {
            return true;
        }
        try {
            return fault instanceof ScopeException && ticket.expiresAt() != null
                && !calls.settings.time().now().isBefore(Instant.parse(ticket.expiresAt()));
        } catch (DateTimeParseException unreadable) {
            return false;
        }
    }
}
