package dev.sutura.sdk;

/** What every operation is made of. */
abstract class Operations {
    final Calls calls;

    Operations(Calls calls) {
        this.calls = calls;
    }
}
