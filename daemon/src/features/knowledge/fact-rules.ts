/**
 * The version of the rules: raise it with every change of a rule, and memories that older rules read are read again. In a file of its own,
 * so that the daemon, which asks for it, does not load the rules.
 */
export const FACT_RULES = '4';
