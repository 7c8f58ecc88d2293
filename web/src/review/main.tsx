import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../shared/theme.css';
import { ReviewDesk } from './review-desk.js';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ReviewDesk />
  </StrictMode>,
);
