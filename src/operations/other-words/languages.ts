import { german } from './de.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { dutch } from './nl.ts';
import type { OtherLanguage } from './other-words.ts';
import { polish } from './pl.ts';

/** The languages besides English in which lines are understood. */
export const otherLanguages: readonly OtherLanguage[] = [german, french, spanish, dutch, polish];
