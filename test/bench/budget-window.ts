import type { RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';

/** The rate limit of the service in this benchmark: 600 requests per second. */
export const serviceWindow: RateWindow = { limit: 600, windowMs: 1000 };

/** 600 concurrent requests delay each other, on a small machine by much more than a sixtieth of a second. */
export const marginMs = 1000;

/** Enough connections to keep the service busy. With 600, it would be busy with connecting. */
export const connections = 32;
