/** A package that the importing file cannot find is looked for from here. */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !/^[@a-z]/.test(specifier)) throw error;
    return next(specifier, { ...context, parentURL: import.meta.url });
  }
}
