/**
 * KHR_materials_variants for the glTF library: other materials for the same primitives, by name.
 *
 * @module
 */
import {
  Extension,
  ExtensionProperty,
  type IProperty,
  type Material,
  type Nullable,
  PropertyType,
  RefList,
  type WriterContext,
} from "@gltf-transform/core";

const NAME = "KHR_materials_variants";

interface IMappings extends IProperty {
  materials: RefList<Material>;
}

/** Which variants of the file put which material on one primitive. */
export class VariantMappings extends ExtensionProperty<IMappings> {
  static override EXTENSION_NAME: string = NAME;
  declare extensionName: string;
  declare propertyType: string;
  declare parentTypes: string[];
  /** For every material the variants that use it. */
  readonly #variants: number[][] = [];

  protected override init(): void {
    this.extensionName = NAME;
    this.propertyType = "VariantMappings";
    this.parentTypes = [PropertyType.PRIMITIVE];
  }

  protected override getDefaults(): Nullable<IMappings> {
    return Object.assign(super.getDefaults() as IMappings, {
      materials: new RefList<Material>(),
    });
  }

  /** Lets some variants use a material. */
  addMapping(material: Material, variants: number[]): this {
    this.#variants.push(variants);
    return this.addRef("materials", material);
  }

  /** The mappings in the order given. */
  listMappings(): { material: Material; variants: number[] }[] {
    return this.listRefs("materials").map((material, i) => ({
      material,
      variants: this.#variants[i],
    }));
  }
}

/** The extension. */
export class MaterialsVariants extends Extension {
  static override EXTENSION_NAME: string = NAME;
  override readonly extensionName: string = NAME;
  /** Names of the variants. */
  names: string[] = [];

  /** Makes an empty list of mappings. */
  createMappings(): VariantMappings {
    return new VariantMappings(this.document.getGraph());
  }

  /** Nothing: the mesh model takes the default materials. */
  override read(): this {
    return this;
  }

  /** Names the variants and the mappings in the JSON. */
  override write(context: WriterContext): this {
    const { json } = context.jsonDoc;
    json.extensions ??= {};
    json.extensions[NAME] = { variants: this.names.map((name) => ({ name })) };
    for (const mesh of this.document.getRoot().listMeshes()) {
      const def = json.meshes![context.meshIndexMap.get(mesh)!];
      mesh.listPrimitives().forEach((primitive, i) => {
        const own = primitive.getExtension<VariantMappings>(NAME);
        if (!own) return;
        const to = def.primitives[i];
        to.extensions ??= {};
        to.extensions[NAME] = {
          mappings: own.listMappings().map(({ material, variants }) => ({
            material: context.materialIndexMap.get(material)!,
            variants,
          })),
        };
      });
    }
    return this;
  }
}
