import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Refusal } from '../shared/api.js';
import '../shared/theme.css';
import { Console } from './console.js';

const queries = new QueryClient({
  defaultOptions: {
    // A request that finds no network fails, and the page says so; by default it would wait for the network without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5000,
      // What was refused is refused again; what was not reached may be there the next time.
      retry: (count, fault) => count < 2 && fault instanceof Refusal && (fault.status === 0 || fault.status === 503),
    },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <BrowserRouter basename="/console">
        <Console />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
