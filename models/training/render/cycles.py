"""Draws a scene with Blender's Cycles. The only file that knows bpy."""

import math
import os
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from models.training.render.labels import top_corners
from models.training.render.palette import linear
from models.training.render.scene import Camera, Lamp, Scene, Surroundings
from models.training.render.shapes import Floats, Material, Mesh, Picture, Thing

# Blender's own CC0 pictures of places; the first two are kept for held-out scenes.
WORLDS = ("courtyard", "night", "city", "forest", "interior", "studio", "sunrise", "sunset")
RAYS = 60
_brightness: dict[str, float] = {}


def draw(scene: Scene, width: int, height: int, samples: int, threads: int) -> tuple[Picture, list[float]]:
    """Linear light (height, width, 3), and the visible share of each die and other die."""
    stage = _stage(width, height, samples, threads)
    meshes: dict[int, Any] = {}
    materials: dict[int, Any] = {}
    for number, thing in enumerate(scene.things()):
        if id(thing.material) not in materials:
            materials[id(thing.material)] = _material(thing.material, thing.mesh)
        if id(thing.mesh) not in meshes:
            meshes[id(thing.mesh)] = _mesh(thing.mesh, materials[id(thing.material)])
        _add(stage, f"{number}", meshes[id(thing.mesh)], thing)
    _world(stage, scene.surroundings)
    for lamp in scene.lamps:
        _lamp(stage, lamp)
    _camera(stage, scene.camera)
    return _render(stage, width, height), _visible(stage, scene)


def _stage(width: int, height: int, samples: int, threads: int) -> Any:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    stage = bpy.context.scene
    render, cycles = stage.render, stage.cycles
    render.engine = "CYCLES"
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    render.threads_mode, render.threads = "FIXED", threads
    render.image_settings.file_format = "OPEN_EXR"
    render.image_settings.color_depth = "32"
    render.image_settings.exr_codec = "NONE"
    render.use_compositing = render.use_sequencer = False
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.seed = 1
    cycles.use_auto_tile = cycles.use_adaptive_sampling = cycles.use_light_tree = False
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 8, 2, 3
    cycles.transmission_bounces = 8
    cycles.caustics_reflective, cycles.caustics_refractive = False, True
    cycles.blur_glossy, cycles.sample_clamp_indirect = 1.0, 6.0
    return stage


def _mesh(mesh: Mesh, material: Any) -> Any:
    made = bpy.data.meshes.new("mesh")
    count = len(mesh.corners)
    made.vertices.add(len(mesh.points))
    made.vertices.foreach_set("co", np.ascontiguousarray(mesh.points, np.float32).ravel())
    made.loops.add(3 * count)
    made.loops.foreach_set("vertex_index", np.ascontiguousarray(mesh.corners, np.int32).ravel())
    made.polygons.add(count)
    made.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    made.update(calc_edges=True)
    made.polygons.foreach_set("use_smooth", np.full(count, mesh.smooth or mesh.fuse or mesh.bevel > 0))
    if mesh.uv is not None:
        made.uv_layers.new(name="uv").data.foreach_set("uv", np.ascontiguousarray(mesh.uv, np.float32).ravel())
    if mesh.ink is not None:
        colour = made.color_attributes.new("ink", "FLOAT_COLOR", "POINT")
        opaque = np.concatenate([mesh.ink[:, :3], np.ones((len(mesh.ink), 1))], 1)
        colour.data.foreach_set("color", np.ascontiguousarray(opaque, np.float32).ravel())
        share = made.attributes.new("painted", "FLOAT", "POINT")
        share.data.foreach_set("value", np.ascontiguousarray(mesh.ink[:, 3], np.float32))
    made.materials.append(material)
    return made


def _add(stage: Any, name: str, mesh: Any, thing: Thing) -> None:
    placed = bpy.data.objects.new(name, mesh)
    stage.collection.objects.link(placed)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = thing.rotation, thing.at
    placed.matrix_world = Matrix(pose.tolist())
    if thing.mesh.bevel:
        bevel = placed.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = thing.mesh.bevel, 3, "ANGLE"
        bevel.angle_limit, bevel.harden_normals = math.radians(20), True
    if thing.mesh.fuse:
        skin = placed.modifiers.new("skin", "REMESH")
        skin.mode, skin.voxel_size, skin.use_smooth_shade = "VOXEL", 0.2, True
        soft = placed.modifiers.new("soft", "SMOOTH")
        soft.factor, soft.iterations = 0.5, 12


def _image(name: str, picture: Picture, *, colour: bool) -> Any:
    height, width = picture.shape[:2]
    rgb = picture if picture.ndim == 3 else np.repeat(picture[..., None], 3, 2)
    made = bpy.data.images.new(name, width, height)
    made.colorspace_settings.name = "sRGB" if colour else "Non-Color"
    opaque = np.concatenate([rgb[::-1], np.ones((height, width, 1))], -1)
    made.pixels.foreach_set(np.ascontiguousarray(opaque, np.float32).ravel())
    made.update()
    return made


class _Nodes:
    """A material's node tree, built with few words."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.surface = self.add("ShaderNodeBsdfPrincipled")
        self.link(self.surface.outputs[0], self.add("ShaderNodeOutputMaterial").inputs[0])

    def add(self, kind: str) -> Any:
        return self.tree.nodes.new(kind)

    def link(self, source: Any, target: Any) -> None:
        self.tree.links.new(source, target)

    def mix(self, share: Any, one: Any, other: Any) -> Any:
        """The socket of one colour over another; each a socket or a linear colour."""
        node = self.add("ShaderNodeMix")
        node.data_type = "RGBA"
        for slot, value in ((0, share), (6, one), (7, other)):
            if isinstance(value, tuple):
                node.inputs[slot].default_value = (*value, 1.0)
            else:
                self.link(value, node.inputs[slot])
        return node.outputs[2]

    def between(self, share: Any, low: float, high: float, start: float = 0.0, end: float = 1.0) -> Any:
        """The socket of a number that goes from low to high as `share` goes from start to end."""
        node = self.add("ShaderNodeMapRange")
        for key, value in (("From Min", start), ("From Max", end), ("To Min", low), ("To Max", high)):
            node.inputs[key].default_value = value
        self.link(share, node.inputs["Value"])
        return node.outputs[0]

    def texture(self, image: Any) -> Any:
        node = self.add("ShaderNodeTexImage")
        node.image, node.extension = image, "MIRROR"
        where = self.add("ShaderNodeUVMap")
        where.uv_map = "uv"
        self.link(where.outputs[0], node.inputs[0])
        return node.outputs[0]

    def noise(self, scale: float, detail: float, stretch: float = 1.0, distortion: float = 0.0) -> Any:
        node, where, stretched = (self.add(f"ShaderNode{k}") for k in ("TexNoise", "TexCoord", "Mapping"))
        stretched.inputs["Scale"].default_value = (1.0, 1.0, stretch)
        self.link(where.outputs["Object"], stretched.inputs[0])
        self.link(stretched.outputs[0], node.inputs["Vector"])
        node.inputs["Scale"].default_value = scale
        node.inputs["Detail"].default_value = detail
        node.inputs["Distortion"].default_value = distortion
        return node.outputs[0]


def _material(look: Material, mesh: Mesh) -> Any:
    nodes = _Nodes("look")
    inputs = nodes.surface.inputs
    base: Any = linear(look.colour)
    if look.picture is not None:
        base = nodes.texture(_image("picture", look.picture, colour=True))
    elif look.swirl:
        base = nodes.mix(_swirl(nodes, look), base, linear(look.second))
    painted = None
    if mesh.ink is not None:
        ink, share = nodes.add("ShaderNodeAttribute"), nodes.add("ShaderNodeAttribute")
        ink.attribute_name, share.attribute_name = "ink", "painted"
        painted = share.outputs["Fac"]
        base = nodes.mix(painted, base, ink.outputs["Color"])
    elif look.mask is not None:
        painted = nodes.texture(_image("mask", look.mask, colour=False))
        base = nodes.mix(painted, base, linear(look.ink))
    if isinstance(base, tuple):
        inputs["Base Color"].default_value = (*base, 1.0)
    else:
        nodes.link(base, inputs["Base Color"])
    inputs["Roughness"].default_value = look.roughness
    inputs["Metallic"].default_value = look.metallic
    inputs["Subsurface Weight"].default_value = look.soft
    inputs["Subsurface Radius"].default_value = (0.25, 0.14, 0.09)
    inputs["Subsurface Scale"].default_value = 0.6
    inputs["IOR"].default_value = 1.49
    if look.swirl == "pearl":
        inputs["Metallic"].default_value, inputs["Coat Weight"].default_value = 0.25, 0.6
    if look.worn:
        rough = nodes.between(nodes.noise(6, 5), look.roughness, look.roughness + look.worn, 0.35, 0.65)
        nodes.link(rough, inputs["Roughness"])
    elif painted is not None:
        nodes.link(nodes.between(painted, look.roughness, 0.3 if look.ink_metallic else 0.45), inputs["Roughness"])
    if painted is not None and look.clear:
        nodes.link(nodes.between(painted, look.clear, 0.0), inputs["Transmission Weight"])
    if painted is not None and look.ink_metallic:
        nodes.link(nodes.between(painted, look.metallic, 0.85), inputs["Metallic"])
    if look.bump:
        bump = nodes.add("ShaderNodeBump")
        bump.inputs["Distance"].default_value = look.bump
        nodes.link(base, bump.inputs["Height"])
        nodes.link(bump.outputs[0], inputs["Normal"])
    return nodes.material


def _swirl(nodes: _Nodes, look: Material) -> Any:
    """How much of the second colour shows where: veins, shimmer, specks or grain."""
    if look.swirl == "wood":
        return nodes.between(nodes.noise(look.scale, 4, stretch=9), 0.0, 0.9, 0.35, 0.65)
    if look.swirl == "speckle":
        return nodes.between(nodes.noise(look.scale, 1), 0.0, 1.0, 0.62, 0.66)
    if look.swirl == "pearl":
        return nodes.between(nodes.noise(look.scale, 3, distortion=1.5), 0.0, 0.6, 0.3, 0.7)
    return nodes.between(nodes.noise(look.scale, 3, distortion=2.0), 0.0, 1.0, 0.48, 0.62)


def _world(stage: Any, around: Surroundings) -> None:
    name = WORLDS[around.index]
    folder = Path(bpy.utils.system_resource("DATAFILES")) / "studiolights" / "world"
    image = bpy.data.images.load(str(folder / f"{name}.exr"), check_existing=True)
    if name not in _brightness:
        pixels = np.empty(image.size[0] * image.size[1] * image.channels, np.float32)
        image.pixels.foreach_get(pixels)
        upper = pixels.reshape(image.size[1], image.size[0], -1)[image.size[1] // 2 :, :, :3]
        _brightness[name] = max(0.02, float(np.minimum(upper, 200).mean()))
    world = bpy.data.worlds.new("world")
    stage.world = world
    # A small importance map: building the full one would take longer than the picture.
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 256
    world.use_nodes = True
    tree = world.node_tree
    tree.nodes.clear()
    where, turned, picture, dull, light, out = (
        tree.nodes.new(f"ShaderNode{kind}")
        for kind in ("TexCoord", "Mapping", "TexEnvironment", "HueSaturation", "Background", "OutputWorld")
    )
    picture.image = image
    turned.inputs["Rotation"].default_value = (0.0, 0.0, around.yaw)
    dull.inputs["Saturation"].default_value = around.saturation
    light.inputs["Strength"].default_value = 0.6 * around.strength / _brightness[name]
    tree.links.new(where.outputs["Generated"], turned.inputs[0])
    tree.links.new(turned.outputs[0], picture.inputs[0])
    tree.links.new(picture.outputs[0], dull.inputs["Color"])
    tree.links.new(dull.outputs[0], light.inputs[0])
    tree.links.new(light.outputs[0], out.inputs[0])


def _lamp(stage: Any, lamp: Lamp) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.shape, light.size, light.color = "DISK" if lamp.round else "SQUARE", lamp.size, lamp.colour
    light.energy = lamp.power * math.pi * float(lamp.at @ lamp.at)
    placed = bpy.data.objects.new("lamp", light)
    stage.collection.objects.link(placed)
    placed.location = lamp.at.tolist()
    placed.rotation_euler = (-Vector(lamp.at.tolist())).to_track_quat("-Z", "Y").to_euler()


def _camera(stage: Any, camera: Camera) -> None:
    lens = bpy.data.cameras.new("camera")
    placed = bpy.data.objects.new("camera", lens)
    stage.collection.objects.link(placed)
    stage.camera = placed
    lens.sensor_fit, lens.sensor_width, lens.clip_start, lens.clip_end = "AUTO", 36, 1, 2000
    lens.lens = 18 / math.tan(camera.angle / 2)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = camera.axes[0], camera.axes[1], -camera.axes[2], camera.eye
    placed.matrix_world = Matrix(pose.tolist())
    lens.dof.use_dof, lens.dof.focus_distance = True, camera.focus
    # Blender takes the focal length for millimetres and one of its units for a metre.
    lens.dof.aperture_fstop = max(0.05, lens.lens * 1e-3 / (2 * camera.aperture))


def _render(stage: Any, width: int, height: int) -> Picture:
    handle, path = tempfile.mkstemp(suffix=".exr")
    os.close(handle)
    try:
        stage.render.filepath = path
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(path)
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    finally:
        Path(path).unlink()
    return pixels.reshape(height, width, 4)[::-1, :, :3].copy()


def _visible(stage: Any, scene: Scene) -> list[float]:
    """Per die, then per other die: the share the camera sees, of the whole or of its top face, the less."""
    graph = bpy.context.evaluated_depsgraph_get()
    eye = scene.camera.eye
    start = Vector(eye.tolist())
    rng = np.random.default_rng(scene.seed)

    def reached(points: Floats, name: str) -> float:
        hits = 0
        for point in points:
            way = Vector((point - eye).tolist())
            hit, _, _, _, found, _ = stage.ray_cast(graph, start, way.normalized(), distance=way.length * 1.02)
            hits += not hit or found.name == name
        return hits / max(1, len(points))

    shares = []
    solids = [d.thing for d in scene.dice] + [o.thing for o in scene.others]
    for number, thing in enumerate(solids):
        triangles = thing.world()[thing.mesh.corners]
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        seen = np.maximum(((eye - triangles[:, 0]) * normals).sum(1), 0)
        picked = rng.choice(len(seen), RAYS, p=seen / seen.sum())
        share = reached(triangles[picked].mean(1), str(number))
        if number < len(scene.dice):
            corners = top_corners(scene.dice[number])
            u, v = rng.uniform(0.12, 0.88, (2, RAYS, 1))
            face = corners[0] + u * (corners[1] - corners[0]) + v * (corners[3] - corners[0])
            share = min(share, reached(face, str(number)))
        shares.append(share)
    return shares
