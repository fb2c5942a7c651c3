const graphemes = new Intl.Segmenter();

/** The first letter or sign of a text as a reader sees it. */
export const initialOf = (text: string): string =>
  graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';
