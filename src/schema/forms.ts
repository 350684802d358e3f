/** RFC 4648 section 4, padded; the empty text encodes no bytes. */
export const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

/** RFC 3986 as far as servers get it wrong: a scheme, and no character that has to be percent-encoded, except letters. */
export const isUri = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9+.-]*:(?:[^\u0000-\u0020"%<>\\^`{|}\u007f-\u00a0]|%[0-9A-Fa-f]{2})*$/.test(text);

/** RFC 6570 as far as servers get it wrong: braces in pairs, around something. */
export const isUriTemplate = (text: string): boolean =>
  /^(?:[^\u0000-\u0020\u007f-\u00a0{}]|\{[^\u0000-\u0020{}]+\})+$/.test(text);

export const isToolName = (text: string): boolean => /^[A-Za-z0-9_.-]{1,128}$/.test(text);
