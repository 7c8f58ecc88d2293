import { useTheme } from '../shared/theme.js';

/** The desk of one report or wound; without a link it says where one comes from. */
export function ReviewDesk() {
  useTheme();
  return (
    <main className="card">
      <h1>Wound review</h1>
      <p>Open this page by the link that your record system makes for one report or wound.</p>
    </main>
  );
}
