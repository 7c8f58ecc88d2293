package dev.sutura.sdk;

/** The thread of the call was interrupted; its mark is set again. What was sent may have been done. */
public final class CallInterruptedException extends SuturaException {
    CallInterruptedException(String message, Facts facts) {
        super(message, facts);
    }
}
