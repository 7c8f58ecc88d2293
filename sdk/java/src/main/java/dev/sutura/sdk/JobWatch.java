package dev.sutura.sdk;

import dev.sutura.sdk.model.AnalysisJob;
import java.time.Duration;
import java.util.Set;

/** Asks for one job until it has ended. */
final class JobWatch {
    private static final long SHORTEST_INTERVAL_MS = 100;
    private static final long FIRST_INTERVAL_MS = 1000;
    private static final long LONGEST_INTERVAL_MS = 5000;
    /** The service holds an answer back for 30 s at most; proxies often cut silence at 30. */
    private static final long LONGEST_HOLD_S = 20;
    private static final long GRACE_MS = 2000;
    private static final long HELD_TOLERANCE_MS = 100;
    private static final int NOT_MODIFIED = 304;
    private static final int TOO_MANY = 429;

    private final Calls calls;
    private final Settings settings;
    private final String jobId;
    private final WaitOptions options;
    private final long endMs;
    private AnalysisJob job;
    private String etag;
    private int failures;
    private SuturaException outage;
    private double growingMs = FIRST_INTERVAL_MS;

    JobWatch(Calls calls, String jobId, WaitOptions options) {
        this.calls = calls;
        this.settings = calls.settings;
        this.jobId = jobId;
        this.options = options;
        this.endMs = nowMs() + options.timeout().toMillis();
    }

    AnalysisJob untilEnded() {
        while (true) {
            long leftMs = endMs - nowMs();
            long pauseMs = look(leftMs);
            if (job != null && ("completed".equals(job.status()) || "error".equals(job.status()))) {
                return ended();
            }
            // Only now: the last look is at the very end.
            if (leftMs <= 0) {
                throw overdue();
            }
            if (pauseMs > 0) {
                settings.time().pause(Duration.ofMillis(Math.max(0, Math.min(pauseMs, endMs - nowMs()))));
            }
        }
    }

    private AnalysisJob ended() {
        if ("error".equals(job.status()) && options.throwOnError()) {
            throw new JobFailedException(job);
        }
        return job;
    }

    private long nowMs() {
        return settings.time().now().toEpochMilli();
    }

    /** Reads the job; how long to pause before the next look. An outage does not end the wait, since the job goes on. */
    private long look(long leftMs) {
        long holdS = options.longPoll() ? Math.max(0, Math.min(LONGEST_HOLD_S, leftMs / 1000)) : 0;
        long askedMs = nowMs();
        Answer answer;
        try {
            answer = calls.connection.sendOnce(question(leftMs, holdS), failures);
        } catch (SuturaException fault) {
            return pauseAfter(fault);
        }
        take(answer);
        failures = 0;
        outage = null;
        options.onState().accept(job);
        boolean wasHeld = holdS > 0 && nowMs() - askedMs >= holdS * 1000 - HELD_TOLERANCE_MS;
        return wasHeld ? 0 : intervalMs(answer);
    }

    private Call question(long leftMs, long holdS) {
        Call call = Call.of("GET", Jobs.path(jobId));
        if (holdS > 0) {
            call.header("prefer", "wait=" + holdS);
        }
        if (etag != null) {
            call.header("if-none-match", etag);
            call.accepted = Set.of(NOT_MODIFIED);
        }
        // A look that began in time may end a little late, and no later.
        long longestMs = Math.max(0, leftMs) + GRACE_MS;
        call.timeout = Duration.ofMillis(Math.min(settings.timeout().toMillis() + holdS * 1000, longestMs));
        return call;
    }

    private void take(Answer answer) {
        if (answer.status() != NOT_MODIFIED) {
            job = calls.read(answer, AnalysisJob.class, "id", "status");
            etag = answer.headers().firstValue("etag").orElse(null);
        }
    }

    /** What the caller says, else the service, else about a second and growing. */
    private long intervalMs(Answer answer) {
        Duration asked = Problems.factsOf(answer.status(), answer.headers(), settings.time().now()).retryAfter();
        Duration given = options.interval() == null ? asked : options.interval();
        if (given != null) {
            // Neither may make this a loop without a pause.
            return Math.max(given.toMillis(), SHORTEST_INTERVAL_MS);
        }
        double intervalMs = growingMs * (0.8 + 0.4 * settings.time().random());
        growingMs = Math.min(LONGEST_INTERVAL_MS, growingMs * 1.5);
        return (long) intervalMs;
    }

    private long pauseAfter(SuturaException fault) {
        Duration pause = Retries.pauseInOutage(fault, failures, settings);
        if (pause == null) {
            throw fault;
        }
        boolean isCrowded = fault.status() != null && fault.status() == TOO_MANY && fault.retryAfter() != null;
        long moreMs = isCrowded ? (long) (settings.time().random() * (FIRST_INTERVAL_MS / 2 << Math.min(failures, 4))) : 0;
        failures += 1;
        outage = fault;
        return pause.toMillis() + moreMs;
    }

    private WaitTimeoutException overdue() {
        String state = job == null ? "was not seen" : "is still " + job.status();
        return new WaitTimeoutException("The job " + jobId + " " + state + " after " + options.timeout().toMillis()
            + " ms. It goes on: wait for it again, or with a longer timeout."
            + (outage == null ? "" : " The last look failed: " + outage.getMessage()), job);
    }
}
