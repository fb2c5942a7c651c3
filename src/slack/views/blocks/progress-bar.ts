import { say } from '../../../domain/said.ts';

const length = 20;

/** A bar of text. @param share from 0 to 1. Only the whole fills the bar, and any part of it shows. */
export function progressBar(share: number): string {
  const filled = share > 0 ? Math.max(1, Math.floor(share * length)) : 0;
  return say`\`${'█'.repeat(filled)}${'░'.repeat(length - filled)}\``;
}
