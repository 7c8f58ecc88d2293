/** Lets a loop wait until somebody calls or a time has passed; a call while nobody waits ends the next wait at once. */
export class WakeUp {
  private called = false;
  private end: (() => void) | undefined;

  call(): void {
    this.called = true;
    this.end?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.called) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.end = undefined;
    this.called = false;
  }
}
