//! From floating point to the engine's file.

use super::model::Model;
use anyhow::{Result, bail};
use halfpoint::eval::network::{ACTIVATION_ONE, BUCKETS, MAX_SHIFT, Network, NetworkError, NetworkParts, OutputBucket};
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS};

/// The network as the engine has it, with the finest output weights that cannot overflow.
pub fn export<const UNITS: usize>(model: &Model<UNITS>) -> Result<Network> {
    let mut shifts = [MAX_SHIFT; 2];
    loop {
        match quantized(model, shifts).map(Network::new) {
            Some(Ok(network)) => return Ok(network),
            Some(Err(NetworkError::OutputOverflow { output, .. })) => {
                let shift = &mut shifts[usize::from(output == "draw")];
                if *shift == 0 {
                    bail!("the {output} output can become too large for a network of this form");
                }
                *shift -= 1;
            }
            Some(Err(error)) => bail!("{error}"),
            None if shifts == [0; 2] => bail!("a weight is too large for a network of this form"),
            None => shifts = shifts.map(|shift| shift.saturating_sub(1)),
        }
    }
}

/// The rounded numbers; `None` if one does not fit.
fn quantized<const UNITS: usize>(model: &Model<UNITS>, shifts: [u8; 2]) -> Option<NetworkParts> {
    let round = |scale: f64| move |value: &f32| i16::try_from((scale * f64::from(*value)).round() as i64).ok();
    let units =
        |at: usize, scale: f64| model.parameters[at..at + UNITS].iter().map(round(scale)).collect::<Option<_>>();
    let one = f64::from(ACTIVATION_ONE);
    let [wilo_scale, draw_scale] = [WILO_UNITS / C, DRAW_UNITS];
    let [wilo_shift, draw_shift] = shifts;
    let scaled = |scale: f64, shift: u8| scale * f64::from(1u32 << shift);
    let mut outputs: [OutputBucket; BUCKETS] = Default::default();
    for (bucket, output) in outputs.iter_mut().enumerate() {
        let [wilo, draw] = Model::<UNITS>::output(bucket);
        let constant = f64::from(model.parameters[Model::<UNITS>::CONSTANTS + bucket]);
        let constant = (constant * scaled(draw_scale, draw_shift) * one * one).round() as i64;
        *output = OutputBucket {
            wilo: units(wilo, scaled(wilo_scale, wilo_shift))?,
            draw: units(draw, scaled(draw_scale, draw_shift))?,
            draw_constant: i32::try_from(constant).ok()?,
        };
    }
    let biases = units(Model::<UNITS>::BIASES, one)?;
    let weights = model.parameters[..Model::<UNITS>::BIASES].iter().map(round(one)).collect::<Option<_>>()?;
    Some(NetworkParts { wilo_shift, draw_shift, biases, weights, outputs })
}
