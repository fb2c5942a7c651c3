import { say } from '../../domain/said.ts';
/** How long work in the background takes, in words. @param ms while nobody uses the bot */
export function roughDuration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 2) return say`about a minute`;
  return minutes <= 90 ? say`about ${minutes} minutes` : say`about ${Math.round(minutes / 60)} hours`;
}
