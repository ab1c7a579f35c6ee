/**
 * Raise it with every change of a rule: memories that older rules read are then read again. In a file of its own, so that the
 * daemon, which asks for it, does not load the rules.
 */
export const FACT_RULES = '3';
