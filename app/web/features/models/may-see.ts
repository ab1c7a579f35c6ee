/** Where the Models view says which namespaces models may see: the part of its address after `#`. */
export const MAY_SEE = 'models-may-see';
