"""The gradient of the unrolled iteration, again as one pass over the rows of a tile.

Nothing is kept from the forward pass. The rows are swept once more, what each iteration leaves behind is recorded in
a short history, and 2 N rows behind the front the adjoint iteration follows, last iteration first. Both marches need
no more than neighbouring rows, so the history of iteration k is 2 (N − k) + 2 rows long, whatever the map's height.

Write x for the gradient of the loss by a variable x. Iteration k is undone row by row in two steps. `pull` is the
adjoint of `maps`, then that of `duals`, J being the derivative of the projection, which outside of the ball is
(1 − p pᵀ) / |p̃|:

    p ← J (p + T w),  w = τv α1 v − τu α1 ∇s;   e = σp α1 T p;   q ← J (q − τv α0 ∇v)

`retire` undoes ū and v̄, mixes them into u and v with the θ of the iteration before, and divides u as that one did:

    ū = −div e,   v̄ = −e − σq α0 div q,   s = u / (1 + τu λ ω)
"""

import numpy as np

from atgvnet.solver.elementary import exp, expm1, log
from atgvnet.solver.rows import MARGIN, row_of
from atgvnet.solver.sweep import (
    CHANNELS,
    OWN,
    P_SHRINK,
    PX,
    PY,
    Q_SHRINK,
    QXX,
    QXY,
    QYX,
    QYY,
    RIGHT,
    TXX,
    TXY,
    TYY,
    U_BAR,
    VX,
    VY,
    WEIGHT,
    X_BAR,
    Y_BAR,
    Array,
    G,
    U,
    kernel,
)

__all__ = ["ADJOINT_CHANNELS", "diffuse_back", "finish", "load", "pull_p", "pull_q", "retire"]

(S, GX, GY, U_OLD, X_OLD, Y_OLD, AX, AY, BXX, BXY, BYX, BYY, EX, EY, D_G, D_WEIGHT, D_XX, D_XY, D_YY) = range(
    CHANNELS, CHANNELS + 19
)
ADJOINT_CHANNELS = CHANNELS + 19


@kernel
def load(ring: Array, here: int, at: int, gradient: Array, one: float) -> None:
    """Start the adjoint of one image's row from the gradient by the result."""
    for channel in range(CHANNELS, ADJOINT_CHANNELS):
        for j in range(len(gradient)):
            ring[here, channel, np.uintp(at + j)] = one - one
    for j in range(len(gradient)):
        ring[here, U_OLD, np.uintp(at + j)] = gradient[j]


@kernel
def pull_p(
    ring: Array,
    place: int,
    under: int,
    history: Array,
    now_at: int,
    old_at: int,
    beneath_at: int,
    total: int,
    step: Array,
    down: float,
    one: float,
) -> tuple[float, float, float]:
    """Through T p into p, and on into ū and v̄; give the gradients by σp α1, τu α1 and τv α1."""
    here, below, mask = row_of(ring, place), row_of(ring, under), row_of(ring, len(ring) - 1)
    now, old, beneath = row_of(history, now_at), row_of(history, old_at), row_of(history, beneath_at)
    zero = one - one
    rate, smooth, couple = step[0], step[2], step[5]
    by_rate, by_smooth, by_couple = zero, zero, zero
    for j in range(total):
        i = MARGIN + j
        txx, txy, tyy, right, own = (
            here[TXX, i],
            here[TXY, i],
            here[TYY, i],
            mask[RIGHT, i],
            mask[OWN, i],
        )
        px, py, shrink = now[PX, i], now[PY, i], now[P_SHRINK, i]
        rise_x, rise_y = right * (here[S, i + 1] - here[S, i]), down * (below[S, i] - here[S, i])
        tpx, tpy = txx * px + txy * py, txy * px + tyy * py
        by_smooth -= own * (rise_x * tpx + rise_y * tpy)
        by_couple += own * (here[GX, i] * tpx + here[GY, i] * tpy)
        wx, wy = couple * here[GX, i] - smooth * rise_x, couple * here[GY, i] - smooth * rise_y
        ax, ay = here[AX, i] + txx * wx + txy * wy, here[AY, i] + txy * wx + tyy * wy
        radial = ax * px + ay * py if shrink < one else zero
        ax, ay = shrink * (ax - radial * px), shrink * (ay - radial * py)
        ex = right * (old[U_BAR, i + 1] - old[U_BAR, i]) - old[X_BAR, i]
        ey = down * (beneath[U_BAR, i] - old[U_BAR, i]) - old[Y_BAR, i]
        fx, fy = txx * ax + txy * ay, txy * ax + tyy * ay
        by_rate += own * (fx * ex + fy * ey)
        here[AX, i], here[AY, i] = ax, ay
        here[EX, i], here[EY, i] = rate * fx, rate * fy
        here[D_XX, i] += wx * px + rate * ax * ex
        here[D_XY, i] += wx * py + wy * px + rate * (ax * ey + ay * ex)
        here[D_YY, i] += wy * py + rate * ay * ey
    return by_rate, by_smooth, by_couple


@kernel
def pull_q(
    ring: Array,
    place: int,
    under: int,
    history: Array,
    now_at: int,
    old_at: int,
    beneath_at: int,
    total: int,
    step: Array,
    down: float,
    one: float,
) -> tuple[float, float]:
    """Through q into v̄; give the gradients by σq α0 and τv α0."""
    here, below, mask = row_of(ring, place), row_of(ring, under), row_of(ring, len(ring) - 1)
    now, old, beneath = row_of(history, now_at), row_of(history, old_at), row_of(history, beneath_at)
    zero = one - one
    smooth = step[4]
    by_rate, by_smooth = zero, zero
    for j in range(total):
        i = MARGIN + j
        right, own = mask[RIGHT, i], mask[OWN, i]
        qxx, qxy, qyx, qyy = now[QXX, i], now[QXY, i], now[QYX, i], now[QYY, i]
        gx, gy = here[GX, i], here[GY, i]
        rise_xx, rise_xy = right * (here[GX, i + 1] - gx), down * (below[GX, i] - gx)
        rise_yx, rise_yy = right * (here[GY, i + 1] - gy), down * (below[GY, i] - gy)
        by_smooth -= own * (rise_xx * qxx + rise_xy * qxy + rise_yx * qyx + rise_yy * qyy)
        bxx, bxy = here[BXX, i] - smooth * rise_xx, here[BXY, i] - smooth * rise_xy
        byx, byy = here[BYX, i] - smooth * rise_yx, here[BYY, i] - smooth * rise_yy
        shrink = now[Q_SHRINK, i]
        radial = bxx * qxx + bxy * qxy + byx * qyx + byy * qyy if shrink < one else zero
        bxx, bxy = shrink * (bxx - radial * qxx), shrink * (bxy - radial * qxy)
        byx, byy = shrink * (byx - radial * qyx), shrink * (byy - radial * qyy)
        x, y = old[X_BAR, i], old[Y_BAR, i]
        by_x = bxx * right * (old[X_BAR, i + 1] - x) + bxy * down * (beneath[X_BAR, i] - x)
        by_y = byx * right * (old[Y_BAR, i + 1] - y) + byy * down * (beneath[Y_BAR, i] - y)
        by_rate += own * (by_x + by_y)
        here[BXX, i], here[BXY, i], here[BYX, i], here[BYY, i] = bxx, bxy, byx, byy
    return by_rate, by_smooth


@kernel
def retire(
    ring: Array, place: int, over: int, history: Array, at: int, total: int,
    rate: float, step: Array, down: float, one: float,
) -> tuple[float, float]:  # fmt: skip
    """Undo the over-relaxation on one row, then the division of the iteration before; by τu λ and θ of that one."""
    here, above, mask, now = row_of(ring, place), row_of(ring, over), row_of(ring, len(ring) - 1), row_of(history, at)
    data, theta = step[3], step[6]
    by_data = by_theta = one - one
    for j in range(total):
        i = MARGIN + j
        ex, ey, own = here[EX, i], here[EY, i], mask[OWN, i]
        x = here[BXX, i] - here[BXX, i - 1] + here[BXY, i] - above[BXY, i]
        y = here[BYX, i] - here[BYX, i - 1] + here[BYY, i] - above[BYY, i]
        x, y = -ex - rate * x, -ey - rate * y
        gx, gy = here[X_OLD, i] + x + theta * x, here[Y_OLD, i] + y + theta * y
        here[GX, i], here[GY, i] = gx, gy
        here[X_OLD, i], here[Y_OLD, i] = gx - theta * x, gy - theta * y
        bar = above[EY, i] - down * ey + mask[RIGHT, i - 1] * here[EX, i - 1] - mask[RIGHT, i] * ex
        u, weight = now[U, i], here[WEIGHT, i]
        change = bar * (now[U_BAR, i] - u) + x * (now[X_BAR, i] - now[VX, i]) + y * (now[Y_BAR, i] - now[VY, i])
        by_theta += own * change
        scaled = (here[U_OLD, i] + bar + theta * bar) / (one + data * weight)
        pulled = scaled * (here[G, i] - u)
        by_data += own * weight * pulled
        here[D_WEIGHT, i] += data * pulled
        here[D_G, i] += data * weight * scaled
        here[S, i] = scaled
        here[U_OLD, i] = scaled - theta * bar
    return by_data, by_theta / theta


@kernel
def finish(ring: Array, place: int, over: int, at: int, down: float, d_g: Array, d_weight: Array) -> None:
    """Write the gradients by g, which u and ū start from, and by ω."""
    here, above, mask = row_of(ring, place), row_of(ring, over), row_of(ring, len(ring) - 1)
    for j in range(len(d_g)):
        i = np.uintp(at + j)
        before = i - np.uintp(1)
        bar = (
            above[EY, i] - down * here[EY, i] + mask[RIGHT, before] * here[EX, before] - mask[RIGHT, i] * here[EX, i]
        )
        d_g[j] = here[D_G, i] + here[U_OLD, i] + bar
        d_weight[j] = here[D_WEIGHT, i]


@kernel
def diffuse_back(
    ring: Array, here: int, at: int, hx: Array, hy: Array, d_hx: Array, d_hy: Array, form: Array, one: float
) -> tuple[float, float, float]:
    """Undo `diffuse`; give the gradients by the scale of h, β and γ."""
    scale, beta, half_gamma, floor = form[0], form[1], form[2], form[3]
    zero, half = one - one, form[4]
    by_scale, by_beta, by_gamma = zero, zero, zero
    for j in range(len(hx)):
        i, x, y = np.uintp(at + j), scale * hx[j], scale * hy[j]
        d_xx, d_xy, d_yy = ring[here, D_XX, i], ring[here, D_XY, i], ring[here, D_YY, i]
        length = x * x + y * y
        squared = max(length, floor)
        logarithm = log(squared)
        power = exp(half_gamma * logarithm)
        decay = expm1(-beta * power)
        factor = decay / squared
        by_factor = d_xx * x * x + d_xy * x * y + d_yy * y * y
        by_power = -by_factor * (decay + one) / squared
        by_beta += by_power * power
        by_gamma += by_power * beta * power * logarithm * half
        by_length = (
            by_power * beta * half_gamma * power / squared - by_factor * factor / squared if length > floor else zero
        )
        dx = factor * (d_xx * x + d_xx * x + d_xy * y) + by_length * (x + x)
        dy = factor * (d_yy * y + d_yy * y + d_xy * x) + by_length * (y + y)
        by_scale += dx * hx[j] + dy * hy[j]
        d_hx[j], d_hy[j] = scale * dx, scale * dy
    return by_scale, by_beta, by_gamma
