import { Button } from '../../shared/components/controls.js';

/** A secret that the gateway shows this once. It is in the page alone, and gone when the page is left. */
export function ShownOnce({ what, text }: { readonly what: string; readonly text: string }) {
  return (
    <div className="notice warn" role="status">
      <p>{what}, shown this once. Put it where your system keeps its secrets.</p>
      <p className="row">
        <code>{text}</code>
        <Button onPress={() => void navigator.clipboard?.writeText(text)}>Copy</Button>
      </p>
    </div>
  );
}
