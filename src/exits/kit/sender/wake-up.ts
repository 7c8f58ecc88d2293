/** Lets a loop wait until it is woken or a time has passed. A call before the wait ends the next wait at once. */
export class WakeUp {
  private called = false;
  private end: (() => void) | undefined;

  call(): void {
    this.called = true;
    this.end?.();
  }

  forget(): void {
    this.called = false;
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
