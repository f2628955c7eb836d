/** What was typed and not saved: each form that has something of the kind is here. */

/** Forms, known by nothing but themselves. */
export const typed = new Set<object>();
