import type { RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';

/** The service's limit in the bench: 600 a second. */
export const serviceWindow: RateWindow = { limit: 600, windowMs: 1000 };

/** 600 requests at once wait for each other, on a small machine much longer than a sixtieth of a second. */
export const marginMs = 1000;

/** As many as keep the service busy; 600 would keep it busy with connecting. */
export const connections = 32;
